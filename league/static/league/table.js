/* The page of a table: a hand is tapped in, scored by the server, and handed to the queue; the sheet below is polled.
   No points are computed here. What is asked of a hand, and how it is said, stands in its fields: `data-figures` of a way
   to end says whose counts (all, others, none), `data-nobody` that nobody won, `data-asks` what a count answers. */
"use strict";

(() => {
  const SECONDS = 4; // between two polls
  const KEPT = "gin-table-1"; // the cache's name, as in worker.js
  const byId = (id) => document.getElementById(id);
  const form = byId("entry");
  document.addEventListener("DOMContentLoaded", () => {
    if (form) tablePage(JSON.parse(byId("page-data").textContent));
  });

  function tablePage(data) {
    const says = byId("sentences").dataset;
    const hands = [...form.querySelectorAll(".hand")];
    const players = data.seats.flat();
    const save = byId("save");
    const said = byId("said");
    const page = { address, told, saved, refresh, over };
    const queue = new TableQueue(data.place, page);
    let tag = "";
    let active = null; // the figure that the keys write into
    let begun = null; // the number of the deal that is being tapped in: what was next when it was begun
    let mends = ""; // the key of what waits and is being changed
    let asked = 0; // questions for the worth of the hand
    let saves = 0; // of what waited
    let looks = 0; // at what stands on the sheet
    let drawn = 0; // the look that is shown
    let worth = { fields: "", problem: "" }; // of the fields as they were asked about
    let clock = null;

    form.classList.remove("no-script");
    form.noValidate = true;
    hands.forEach((hand) => figuresOf(hand).forEach((figure) => figure.setAttribute("inputmode", "none")));
    listen();
    tellOpenness();
    begin();
    queue.goOn();
    refresh();

    function say(template, values) {
      return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    }

    function address(kind) {
      return kind === "undo" ? form.dataset.undo : form.action;
    }

    /* The number of the next deal, queued ones included. */

    function nextNumber(before = "") {
      // With the key `before`, only what is queued before it.
      let number = Number(byId("state").dataset.number);
      for (const one of queue.waiting) {
        if (one.key === before) break;
        number = one.kind === "undo" ? one.number : Math.max(number, one.number + 1);
      }
      return number;
    }

    /* The deal on the screen keeps the number with which it was begun. */
    function shownNumber() {
      return begun ?? nextNumber();
    }

    /* The hand. */

    function part(hand, name) {
      return form.elements[`${name}-${hand.dataset.table}`];
    }

    function figuresOf(hand) {
      return [...hand.querySelectorAll(".count input")];
    }

    function wayOf(hand) {
      return hand.querySelector(".how:checked");
    }

    function shownFigures(hand) {
      if (wayOf(hand)?.dataset.figures === "none") return [];
      return figuresOf(hand).filter((figure) => figure.offsetParent !== null);
    }

    function isByPoints(hand) {
      return part(hand, "by")?.value === "points";
    }

    function isComplete() {
      return hands.every((hand) => {
        const way = wayOf(hand);
        if (!way || (way.dataset.nobody === undefined && !part(hand, "won").value)) return false;
        return shownFigures(hand).every((figure) => figure.value.trim());
      });
    }

    function begin() {
      form.reset();
      mends = "";
      begun = null;
      asked += 1;
      hands.forEach((hand) => {
        hand.querySelectorAll("[type=radio]").forEach((one) => { one.checked = one.className === "by-counts"; });
        figuresOf(hand).forEach((figure) => { figure.value = figure.dataset.asks = ""; });
        arrange(hand);
      });
      pair();
      activate(null);
      said.textContent = "";
      nameSave("");
    }

    function pair() {
      // RULES §7: opponents change with every deal. §8: who plays follows from who won.
      const size = hands.length;
      const turn = turnBefore();
      hands.forEach((hand, table) => {
        if (size > 1) part(hand, "meets").value = String((table + nextNumber() - 1) % size);
        if (part(hand, "pair") && turn) part(hand, "pair").value = turn.playing.join(" ");
        name(hand, table);
      });
    }

    /* Who plays, waits and deals, queued deals included; null where that is not known here. */
    function turnBefore(key = "") {
      const told = byId("state").dataset.turns;
      if (!told) return null;
      const { turns, now, last } = JSON.parse(told);
      let path = [last, now];
      let number = Number(byId("state").dataset.number);
      for (const one of queue.waiting) {
        if (one.key === key) break;
        // Not what the sheet has already.
        if (one.kind === "enter" && one.number < number) continue;
        path = step(turns, path, one);
        number = numberAfter(one);
      }
      return turns[path.at(-1)] ?? null;
    }

    function step(turns, path, one) {
      if (one.kind === "undo") return path.slice(0, -1);
      const sent = new URLSearchParams(one.body);
      const place = path.at(-1);
      return [...path, sent.get("how-0") === "dead" ? place : turns[place]?.after[Number(sent.get("won-0"))]];
    }

    function numberAfter(one) {
      return one.kind === "undo" ? one.number : one.number + 1;
    }

    /* What was just saved is on the sheet before the sheet is seen again. */
    function stepOn(one, next) {
      const state = byId("state");
      const before = one.kind === "undo" ? one.number + 1 : one.number;
      if (!state.dataset.turns || Number(state.dataset.number) !== before || next !== numberAfter(one)) return;
      const told = JSON.parse(state.dataset.turns);
      const path = step(told.turns, [told.last, told.now], one);
      state.dataset.turns = JSON.stringify({ ...told, now: path.at(-1) ?? null, last: path.at(-2) ?? null });
    }

    /* Whether others play the deal on the screen by now, as one before it was corrected. */
    function isOthers() {
      const both = part(hands[0], "pair");
      const turn = both && !mends && begun === nextNumber() ? turnBefore() : null;
      return Boolean(turn) && both.value !== turn.playing.join(" ");
    }

    function tellTurn() {
      const coming = byId("coming");
      if (!coming || isTouched()) return;
      const turn = turnBefore();
      const called = (seats) => seats.map((seat) => players[seat]).join(", ");
      const notes = turn ? [say(says.deals, { name: players[turn.dealer] })] : [];
      if (turn?.waiting.length) notes.push(say(says.sitsOut, { names: called(turn.waiting) }));
      coming.textContent = notes.join(" · ");
    }

    /* Nobody can enter a deal of which it is not known here who plays it. */
    function isUnknown() {
      return !isTouched() && Boolean(part(hands[0], "pair")) && byId("state").dataset.open === "1" && !turnBefore();
    }

    function namesOf(hand, table) {
      if (hands.length > 1) return [data.seats[0][table], data.seats[1][Number(part(hand, "meets").value)]];
      const both = part(hand, "pair");
      return both ? both.value.split(" ").map((seat) => players[seat]) : players;
    }

    function name(hand, table) {
      const names = namesOf(hand, table);
      [0, 1].forEach((one) => hand.querySelectorAll(`.name-${one}`).forEach((place) => { place.textContent = names[one]; }));
      hand.querySelectorAll(".winner").forEach((label, one) => { label.textContent = say(says.won, { name: names[one] }); });
    }

    /* At a table of several the figures stand in order of seats: of who won, of the next, and so on. */
    function arrange(hand) {
      if (!hand.classList.contains("of-several")) return;
      const way = wayOf(hand);
      const won = way?.dataset.nobody === undefined ? part(hand, "won").value : "";
      const asksOwn = way?.dataset.figures === "all" && !isByPoints(hand);
      const asked = way?.dataset.what ?? "";
      hand.querySelector(".what").textContent = asked && isByPoints(hand) ? hand.dataset.what : asked;
      const place = (figure) => (Number(figure.dataset.seat) - Number(won) + players.length) % players.length;
      const labels = figuresOf(hand).sort((one, other) => place(one) - place(other)).map((figure) => figure.closest(".count"));
      const grid = hand.querySelector(".figures");
      // Moved only if the order is another: what is moved loses the focus.
      if (labels.some((label, index) => label !== grid.children[index])) grid.append(...labels);
      labels.forEach((label) => {
        const isOwn = won !== "" && label.querySelector("input").dataset.seat === won;
        label.hidden = isOwn && !asksOwn;
      });
    }

    function words() {
      // The entry in words, for the list of queued ones; only the server computes points.
      return hands.map((hand, table) => {
        const names = namesOf(hand, table);
        const way = wayOf(hand);
        const won = part(hand, "won").value;
        const shown = shownFigures(hand);
        const own = way.dataset.own === "other" ? String(1 - won) : won;
        const others = shown.filter((figure) => figure.dataset.seat !== own || way.dataset.nobody !== undefined);
        const isBig = way.dataset.big && part(hand, "big")?.checked;
        const counted = isBig ? way.dataset.big : way.dataset.said;
        return say(isByPoints(hand) && others.length ? hand.dataset.points : counted, {
          name: names[won],
          points: shown[0]?.value,
          own: shown.find((figure) => figure.dataset.seat === own)?.value,
          other: others[0]?.value,
          others: others.map((figure) => `${names[figure.dataset.seat]} ${figure.value}`).join(", "),
        });
      }).join("; ");
    }

    function fields() {
      const sent = new FormData(form);
      sent.delete("csrfmiddlewaretoken");
      return new URLSearchParams(sent);
    }

    /* The keys. */

    function activate(figure) {
      active = figure;
      form.querySelectorAll(".count").forEach((one) => one.classList.toggle("is-active", one.contains(figure)));
    }

    /* What a count is asked for: after gin there is one of them, and nobody lays off. */
    function asks(hand) {
      const way = wayOf(hand);
      return way ? `${way.dataset.asks ?? ""}?` : "";
    }

    /* A count that answered another question does not stay, nor any figure that is hidden. */
    function settle(hand) {
      arrange(hand);
      const now = asks(hand);
      const shown = shownFigures(hand);
      figuresOf(hand).forEach((figure) => {
        const before = figure.dataset.lasts === undefined ? figure.dataset.asks : "";
        if (!shown.includes(figure) || (before && before !== now)) figure.value = "";
        figure.dataset.asks = figure.value ? now : "";
      });
    }

    function lastFilled() {
      return hands.flatMap(shownFigures).filter((figure) => figure.value).at(-1) ?? null;
    }

    function firstEmpty() {
      for (const hand of hands) {
        const empty = shownFigures(hand).find((figure) => !figure.value);
        if (empty) return empty;
      }
      return null;
    }

    function press(digit) {
      if (!active || active.offsetParent === null) activate(firstEmpty());
      if (digit === "back" && !active?.value) activate(lastFilled() ?? active);
      const isFull = !active || active.value.length === active.maxLength;
      if (digit !== "back" && isFull) {
        said.textContent = lastFilled() ? says.full : says.noFigure;
        tellWhyNot();
        return;
      }
      if (!active) return;
      active.value = digit === "back" ? active.value.slice(0, -1) : active.value + digit;
      settle(active.closest(".hand"));
      changed();
      if (digit !== "back" && active.value.length === active.maxLength) {
        const next = firstEmpty();
        if (next) goTo(next);
      }
    }

    function goTo(figure) {
      // Scroll a new hand to its top, where the winner is chosen.
      const hand = figure.closest(".hand");
      if (hand.contains(active)) figure.scrollIntoView({ block: "nearest" });
      else hand.scrollIntoView();
      activate(figure);
    }

    function changed() {
      begun ??= nextNumber();
      said.textContent = "";
      said.classList.remove("is-refused");
      nameSave("");
      asked += 1;
      if (isComplete()) {
        clearTimeout(clock);
        clock = setTimeout(askWorth, 150, asked);
      }
    }

    async function askWorth(number) {
      form.elements.number.value = shownNumber();
      const told = fields();
      let answer = null;
      try {
        const headers = { Accept: "application/json" };
        const response = await fetch(`${form.dataset.preview}?${told}`, { headers, signal: AbortSignal.timeout(8000) });
        answer = await response.json();
      } catch {
        answer = null;
      }
      if (number !== asked) return;
      if (!answer) {
        said.textContent = says.later;
        return;
      }
      worth = { fields: told.toString(), problem: answer.worth ? "" : answer.message };
      // What a key has been told since stays, as long as nothing is wrong.
      if (!answer.worth || !said.textContent) {
        said.classList.toggle("is-refused", !answer.worth);
        said.textContent = answer.worth ? answer.said : answer.message;
      }
      nameSave(answer.worth ?? "");
    }

    function nameSave(text) {
      save.textContent = text || says.save;
    }

    function submit(event) {
      event.preventDefault();
      if (!isComplete()) {
        said.classList.add("is-refused");
        said.textContent = says.missing;
        activate(firstEmpty());
        tellWhyNot();
        return;
      }
      const waits = queue.waiting.find((one) => one.key === mends);
      // The other side may have entered the same deal meanwhile; keep its number.
      const number = waits ? Math.min(waits.number, nextNumber(mends)) : shownNumber();
      form.elements.number.value = number;
      if (worth.problem && worth.fields === fields().toString()) {
        tellWhyNot();
        return;
      }
      const key = newKey();
      form.elements.key.value = key;
      const one = { kind: "enter", key, number, body: fields().toString(), said: say(says.entered, { number, said: words() }) };
      begin();
      if (waits) queue.replace(waits.key, one);
      else queue.add(one);
      pair();
    }

    function tellWhyNot() {
      // The message is below the keys, which fill a small screen.
      said.scrollIntoView({ block: "nearest" });
    }

    function mend(one) {
      begin();
      mends = one.key;
      for (const [field, value] of new URLSearchParams(one.body)) {
        const control = form.elements[field];
        if (!control || ["key", "number"].includes(field)) continue;
        if (control.type === "checkbox") control.checked = true;
        else control.value = value;
      }
      const turn = turnBefore(one.key);
      const both = part(hands[0], "pair");
      if (both && turn && both.value !== turn.playing.join(" ")) {
        // Others play by now: neither who won nor what they had is told of them.
        both.value = turn.playing.join(" ");
        hands[0].querySelectorAll(".won").forEach((choice) => { choice.checked = false; });
        figuresOf(hands[0]).forEach((figure) => { figure.value = ""; });
      }
      hands.forEach(name);
      hands.forEach(settle);
      begun = one.number;
      changed();
      form.scrollIntoView();
    }

    /* The queue and the sheet. */

    function told() {
      const { waiting } = queue;
      const number = shownNumber();
      const isOvertaken = !mends && begun !== null && begun < nextNumber();
      const why = isOvertaken ? says.overtaken : isOthers() ? says.others : "";
      byId("overtaken").hidden = !why;
      byId("overtaken").firstChild.textContent = say(why, { number });
      const isOpen = byId("state").dataset.open === "1";
      const notes = [];
      if (waiting.length) {
        const { noNetwork: network, busy, serverTrouble: server, linkOver: over } = says;
        const state = { network, busy, server, over }[queue.trouble];
        notes.push(say(says.notSaved, { count: waiting.length }), ...(state ? [state] : []));
      } else notes.push(says.allSaved);
      if (isOpen) notes.unshift(say(says.deal, { number }));
      const text = notes.join(" · ");
      if (byId("kept").textContent !== text) byId("kept").textContent = text;
      byId("kept").classList.toggle("is-waiting", waiting.length > 0);
      form.hidden = (!isOpen && !mends) || isUnknown();
      byId("unknown-turn").hidden = !isUnknown();
      byId("waiting").hidden = waiting.length === 0;
      byId("waiting-why").textContent = { network: says.whenNetwork, busy: says.whenFree, server: says.whenMended }[queue.trouble] ?? "";
      byId("waiting").querySelector("ol").replaceChildren(...waiting.map((one, index) => waits(one, index === waiting.length - 1)));
      if (!queue.isKept) showProblem(says.noStorage);
      if (!isTouched()) pair();
      tellTurn();
    }

    function waits(one, isLast) {
      const item = document.createElement("li");
      item.append(one.said);
      const act = (text, run) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.addEventListener("click", run);
        item.append(button);
      };
      if (one.refused) {
        const why = document.createElement("p");
        why.className = "refused";
        why.textContent = one.refused;
        item.append(why);
        if (one.kind === "enter") act(says.mend, () => mend(one));
        act(says.drop, () => queue.drop(one.key));
      } else if (isLast && one.kind === "enter") {
        act(says.undo, () => takeBack(one));
      }
      return item;
    }

    function takeBack(one) {
      // Undo on the server what it may have received; simply drop what was never sent.
      const now = queue.waiting.find((other) => other.key === one.key);
      if (now?.isTried) undo(one.number, newKey());
      else if (now) queue.drop(one.key);
    }

    function undo(number, key) {
      const body = new URLSearchParams({ number, key }).toString();
      if (queue.waiting.some((one) => one.kind === "undo" && one.number === number)) return;
      queue.add({ kind: "undo", key, number, body, said: say(says.undone, { number }) });
    }

    function isTouched() {
      return begun !== null;
    }

    async function saved(answer) {
      // Before anything else is entered, as states requested earlier are outdated.
      stepOn(queue.waiting[0], answer.next);
      byId("state").dataset.number = answer.next;
      saves += 1;
      // Another deal can be undone now; the next state says which.
      document.querySelectorAll("[data-undo-form] button").forEach((button) => { button.disabled = true; });
      showProblem("");
      if (!isTouched()) {
        said.classList.remove("is-refused");
        said.textContent = answer.message;
      }
      await refresh();
    }

    function over(message) {
      showProblem(message || says.linkOver);
    }

    function showProblem(text) {
      byId("problem").textContent = text;
      byId("problem").hidden = !text;
    }

    async function refresh() {
      const since = saves;
      const turn = looks += 1;
      const headers = { Accept: "application/json", ...(tag ? { "If-None-Match": tag } : {}) };
      try {
        const response = await fetch(form.dataset.state, { headers, cache: "no-store", signal: AbortSignal.timeout(8000) });
        if (response.status === 404) over((await response.json()).message);
        if (response.status === 200) {
          const html = await response.text();
          const came = response.headers.get("ETag") ?? "";
          // Not newer than what is shown: redrawing could move a button from under a finger.
          if (since !== saves || turn < drawn || came === tag) return;
          tag = came;
          drawn = turn;
          show(html);
        }
        if (response.ok || response.status === 304) wakeQueue();
      } catch {
        /* The next poll comes soon. */
      }
    }

    function wakeQueue() {
      if (queue.trouble === "network") queue.goOn();
    }

    function show(html) {
      const state = byId("state");
      const before = [...state.querySelectorAll("input[id]")].map((one) => [one.id, one.value, one === document.activeElement]);
      const wasOpen = Boolean(state.querySelector("details[open]"));
      const { seats } = state.dataset;
      state.outerHTML = html;
      for (const [id, value, hadFocus] of before) {
        const again = byId(id);
        if (!again) continue;
        again.value = value;
        if (hadFocus) again.focus();
      }
      const details = byId("state").querySelector("details");
      if (details && wasOpen) details.open = true;
      // Other players have taken the seats: reload the form.
      if (byId("state").dataset.seats !== seats && !isTouched()) location.reload();
      told();
    }

    async function sendPlain(plain) {
      const button = plain.querySelector("button");
      button.disabled = true;
      const sent = new FormData(plain);
      sent.delete("csrfmiddlewaretoken");
      const came = await post(plain.action, new URLSearchParams(sent));
      button.disabled = false;
      if (!came) showProblem(says.notSent);
      else showProblem(came.status < 300 ? "" : came.answer?.message ?? says.notTaken);
      await refresh();
    }

    async function keepPage() {
      // The service worker caches only later loads, so cache this page now.
      if (!isSecureContext || !navigator.serviceWorker) return false;
      try {
        await navigator.serviceWorker.register(form.dataset.worker);
        await navigator.serviceWorker.ready;
        const kept = await caches.open(KEPT);
        await kept.add(location.pathname);
        return true;
      } catch {
        return false;
      }
    }

    async function tellOpenness() {
      const notes = [(await keepPage()) ? says.opensOffline : says.stayOpen];
      if (queue.isElsewhere) notes.push(says.elsewhere);
      byId("openness").textContent = notes.join(" ");
    }

    function listen() {
      form.addEventListener("submit", submit);
      byId("overtaken").querySelector("button").addEventListener("click", () => { begin(); told(); });
      form.addEventListener("input", (event) => {
        const hand = event.target.closest(".hand");
        if (hand) settle(hand);
        changed();
      });
      form.addEventListener("change", (event) => {
        const hand = event.target.closest(".hand");
        if (event.target.name.startsWith("meets-")) swapMeets(hand, event.target);
        const figure = shownFigures(hand).find((one) => !one.value);
        if (event.target.type === "radio") activate(figure ?? null);
        // Their figures fill more than a small screen has above the keys.
        if (figure && hand.matches(".of-several")) figure.scrollIntoView({ block: "nearest" });
      });
      form.addEventListener("focusin", (event) => event.target.matches(".count input") && activate(event.target));
      form.querySelectorAll(".digit").forEach((key) => {
        // Keep the focus in the figure.
        key.addEventListener("pointerdown", (event) => event.preventDefault());
        key.addEventListener("click", () => press(key.dataset.digit));
      });
      document.addEventListener("submit", (event) => {
        const sent = event.target;
        if (sent.matches("[data-plain]")) {
          event.preventDefault();
          sendPlain(sent);
        } else if (sent.matches("[data-undo-form]")) {
          event.preventDefault();
          undo(Number(sent.elements.number.value), sent.elements.key.value);
        }
      });
      document.addEventListener("visibilitychange", () => document.hidden || refresh());
      setInterval(() => document.hidden || refresh(), SECONDS * 1000);
    }

    function swapMeets(hand, select) {
      // The table that had this opponent gets the other one.
      const taken = hands.map((one) => part(one, "meets").value);
      const free = hands.map((_, seat) => String(seat)).find((seat) => !taken.includes(seat));
      hands.forEach((one, table) => {
        const other = part(one, "meets");
        if (one !== hand && other.value === select.value && free !== undefined) other.value = free;
        name(one, table);
      });
    }
  }
})();
