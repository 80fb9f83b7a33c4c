/* Single repairs that would reconcile the sheet with its paper. The search starts when typing pauses, as it takes
   longer than an echo; further typing aborts it, and repairs found for older rows can no longer be accepted. */
"use strict";

class RepairSearch {
  static #REST = 250; // ms without typing

  #place;
  #searching;
  #address;
  #snapshot;
  #running = null;

  constructor(place, { address, searching, snapshot }) {
    this.#place = place;
    this.#address = address;
    this.#searching = searching;
    this.#snapshot = snapshot;
  }

  /* `number` identifies the echo that found the difference. */
  begin(number) {
    this.end();
    const mine = new AbortController();
    const waiting = setTimeout(() => this.#ask(number, mine), RepairSearch.#REST);
    mine.signal.addEventListener("abort", () => clearTimeout(waiting));
    this.#running = mine;
    this.#place.textContent = this.#searching;
  }

  end() {
    this.#running?.abort();
    this.#running = null;
  }

  clear() {
    this.end();
    this.#place.replaceChildren();
  }

  isFor(number) {
    return this.#place.dataset.number === String(number);
  }

  async #ask(number, mine) {
    const body = new URLSearchParams({ draft: JSON.stringify(this.#snapshot()), number });
    const headers = { "X-CSRFToken": token(), "HX-Request": "true" };
    let text = "";
    try {
      const response = await fetch(this.#address, { method: "POST", body, headers, signal: mine.signal });
      if (response.ok && response.headers.get("X-Draft") === String(number)) text = await response.text();
    } catch {
      /* Aborted, or offline, which the next echo will report. */
    }
    if (this.#running !== mine) return;
    const parsed = new DOMParser().parseFromString(text, "text/html");
    this.#place.replaceChildren(...parsed.body.children);
    this.#place.dataset.number = number;
  }
}
