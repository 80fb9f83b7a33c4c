/* The keypad under the hands: its keys write into the figure that is active.
   The page is reached through `page`: changed() is called after a key was taken, full() for one that has no place. */
"use strict";

class TableKeys {
  #form;
  #hands;
  #page;
  #active = null;

  constructor(form, hands, page) {
    this.#form = form;
    this.#hands = hands;
    this.#page = page;
    form.addEventListener("focusin", (event) => event.target.matches(".count input") && this.activate(event.target));
    form.querySelectorAll(".digit").forEach((key) => {
      // Keep the focus in the figure.
      key.addEventListener("pointerdown", (event) => event.preventDefault());
      key.addEventListener("click", () => this.#press(key.dataset.digit));
    });
  }

  activate(figure) {
    this.#active = figure;
    this.#form.querySelectorAll(".count").forEach((one) => one.classList.toggle("is-active", one.contains(figure)));
  }

  #press(digit) {
    const hands = this.#hands;
    if (!this.#active || this.#active.offsetParent === null) this.activate(hands.firstEmpty());
    if (digit === "back" && !this.#active?.value) this.activate(hands.lastFilled() ?? this.#active);
    const figure = this.#active;
    if (digit !== "back" && (!figure || figure.value.length === figure.maxLength)) {
      this.#page.full();
      return;
    }
    if (!figure) return;
    figure.value = digit === "back" ? figure.value.slice(0, -1) : figure.value + digit;
    hands.settle(figure.closest(".hand"));
    this.#page.changed();
    if (digit !== "back" && figure.value.length === figure.maxLength) {
      const next = hands.firstEmpty();
      if (next) this.#goTo(next);
    }
  }

  #goTo(figure) {
    // Scroll a new hand to its top, where the winner is chosen.
    const hand = figure.closest(".hand");
    if (hand.contains(this.#active)) figure.scrollIntoView({ block: "nearest" });
    else hand.scrollIntoView();
    this.activate(figure);
  }
}
