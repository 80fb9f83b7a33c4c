/* The hands of the deal that is tapped in, as the form has them: how each ended, who won it, and the figures.
   What is asked of a hand, and how it is said, stands in its fields: `data-figures` of a way to end says whose counts
   (all, others, none), `data-nobody` that nobody won, `data-asks` what a count answers. */
"use strict";

function say(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

class TableHands {
  #form;
  #seats;
  #says;

  constructor(form, seats, says) {
    this.#form = form;
    this.#seats = seats;
    this.#says = says;
    this.players = seats.flat();
    this.all = [...form.querySelectorAll(".hand")];
    this.all.forEach((hand) => this.figuresOf(hand).forEach((figure) => figure.setAttribute("inputmode", "none")));
  }

  /* Who plays the deal, where that changes from one to the next: the field with their seats, else nothing. */
  get both() {
    return this.#part(this.all[0], "pair");
  }

  #part(hand, name) {
    return this.#form.elements[`${name}-${hand.dataset.table}`];
  }

  figuresOf(hand) {
    return [...hand.querySelectorAll(".count input")];
  }

  #wayOf(hand) {
    return hand.querySelector(".how:checked");
  }

  shownFigures(hand) {
    if (this.#wayOf(hand)?.dataset.figures === "none") return [];
    return this.figuresOf(hand).filter((figure) => figure.offsetParent !== null);
  }

  #isByPoints(hand) {
    return this.#part(hand, "by")?.value === "points";
  }

  isComplete() {
    return this.all.every((hand) => {
      const way = this.#wayOf(hand);
      if (!way || (way.dataset.nobody === undefined && !this.#part(hand, "won").value)) return false;
      return this.shownFigures(hand).every((figure) => figure.value.trim());
    });
  }

  lastFilled() {
    return this.all.flatMap((hand) => this.shownFigures(hand)).filter((figure) => figure.value).at(-1) ?? null;
  }

  firstEmpty() {
    for (const hand of this.all) {
      const empty = this.shownFigures(hand).find((figure) => !figure.value);
      if (empty) return empty;
    }
    return null;
  }

  clear() {
    this.#form.reset();
    this.all.forEach((hand) => {
      hand.querySelectorAll("[type=radio]").forEach((one) => { one.checked = one.className === "by-counts"; });
      this.figuresOf(hand).forEach((figure) => { figure.value = figure.dataset.asks = ""; });
      this.#arrange(hand);
    });
  }

  /* Who meets whom in the deal of this number, of which `turn` says who plays. */
  pair(number, turn) {
    // RULES §7: opponents change with every deal. §8: who plays follows from who won.
    const size = this.all.length;
    this.all.forEach((hand, table) => {
      if (size > 1) this.#part(hand, "meets").value = String((table + number - 1) % size);
      if (this.#part(hand, "pair") && turn) this.#part(hand, "pair").value = turn.playing.join(" ");
    });
    this.nameAll();
  }

  /* The fields as they were sent once; of a deal that others play by now neither who won nor what they had. */
  fill(body, turn) {
    for (const [field, value] of new URLSearchParams(body)) {
      const control = this.#form.elements[field];
      if (!control || ["key", "number"].includes(field)) continue;
      if (control.type === "checkbox") control.checked = true;
      else control.value = value;
    }
    const { both } = this;
    if (both && turn && both.value !== turn.playing.join(" ")) {
      both.value = turn.playing.join(" ");
      this.all[0].querySelectorAll(".won").forEach((choice) => { choice.checked = false; });
      this.figuresOf(this.all[0]).forEach((figure) => { figure.value = ""; });
    }
    this.nameAll();
    this.all.forEach((hand) => this.settle(hand));
  }

  swapMeets(hand, select) {
    // The table that had this opponent gets the other one.
    const taken = this.all.map((one) => this.#part(one, "meets").value);
    const free = this.all.map((_, seat) => String(seat)).find((seat) => !taken.includes(seat));
    this.all.forEach((one) => {
      const other = this.#part(one, "meets");
      if (one !== hand && other.value === select.value && free !== undefined) other.value = free;
    });
    this.nameAll();
  }

  nameAll() {
    this.all.forEach((hand, table) => {
      const names = this.#namesOf(hand, table);
      [0, 1].forEach((one) => hand.querySelectorAll(`.name-${one}`).forEach((place) => { place.textContent = names[one]; }));
      hand.querySelectorAll(".winner").forEach((label, one) => { label.textContent = say(this.#says.won, { name: names[one] }); });
    });
  }

  #namesOf(hand, table) {
    if (this.all.length > 1) return [this.#seats[0][table], this.#seats[1][Number(this.#part(hand, "meets").value)]];
    const both = this.#part(hand, "pair");
    return both ? both.value.split(" ").map((seat) => this.players[seat]) : this.players;
  }

  /* At a table of several the figures stand in order of seats: of who won, of the next, and so on. */
  #arrange(hand) {
    if (!hand.classList.contains("of-several")) return;
    const way = this.#wayOf(hand);
    const won = way?.dataset.nobody === undefined ? this.#part(hand, "won").value : "";
    const asksOwn = way?.dataset.figures === "all" && !this.#isByPoints(hand);
    const asked = way?.dataset.what ?? "";
    hand.querySelector(".what").textContent = asked && this.#isByPoints(hand) ? hand.dataset.what : asked;
    const { length } = this.players;
    const place = (figure) => (Number(figure.dataset.seat) - Number(won) + length) % length;
    const figures = this.figuresOf(hand).sort((one, other) => place(one) - place(other));
    const labels = figures.map((figure) => figure.closest(".count"));
    const grid = hand.querySelector(".figures");
    // Moved only if the order is another: what is moved loses the focus.
    if (labels.some((label, index) => label !== grid.children[index])) grid.append(...labels);
    labels.forEach((label) => {
      const isOwn = won !== "" && label.querySelector("input").dataset.seat === won;
      label.hidden = isOwn && !asksOwn;
    });
  }

  /* What a count is asked for: after gin there is one of them, and nobody lays off. */
  #asks(hand) {
    const way = this.#wayOf(hand);
    return way ? `${way.dataset.asks ?? ""}?` : "";
  }

  /* A count that answered another question does not stay, nor any figure that is hidden. */
  settle(hand) {
    this.#arrange(hand);
    const now = this.#asks(hand);
    const shown = this.shownFigures(hand);
    this.figuresOf(hand).forEach((figure) => {
      const before = figure.dataset.lasts === undefined ? figure.dataset.asks : "";
      if (!shown.includes(figure) || (before && before !== now)) figure.value = "";
      figure.dataset.asks = figure.value ? now : "";
    });
  }

  /* The entry in words, for the list of queued ones; only the server computes points. */
  words() {
    return this.all.map((hand, table) => {
      const names = this.#namesOf(hand, table);
      const way = this.#wayOf(hand);
      const won = this.#part(hand, "won").value;
      const shown = this.shownFigures(hand);
      const own = way.dataset.own === "other" ? String(1 - won) : won;
      const others = shown.filter((figure) => figure.dataset.seat !== own || way.dataset.nobody !== undefined);
      const isBig = way.dataset.big && this.#part(hand, "big")?.checked;
      const counted = isBig ? way.dataset.big : way.dataset.said;
      return say(this.#isByPoints(hand) && others.length ? hand.dataset.points : counted, {
        name: names[won],
        points: shown[0]?.value,
        own: shown.find((figure) => figure.dataset.seat === own)?.value,
        other: others[0]?.value,
        others: others.map((figure) => `${names[figure.dataset.seat]} ${figure.value}`).join(", "),
      });
    }).join("; ");
  }
}
