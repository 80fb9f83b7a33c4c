/* What comes next at a table, entries that wait in the queue included: the number of the next deal, and who plays,
   waits and deals. What the sheet says of it stands in the data of `#state`, which is drawn anew with every look. */
"use strict";

class TableTurns {
  #queue;

  constructor(queue) {
    this.#queue = queue;
  }

  get #told() {
    return document.getElementById("state").dataset;
  }

  get isOpen() {
    return this.#told.open === "1";
  }

  /* The number of the next deal; with the key `before`, only what is queued before it counts. */
  nextNumber(before = "") {
    let number = Number(this.#told.number);
    for (const one of this.#queue.waiting) {
      if (one.key === before) break;
      number = one.kind === "undo" ? one.number : Math.max(number, one.number + 1);
    }
    return number;
  }

  /* Who plays, waits and deals next, or before the entry with this key; null where that is not known here. */
  before(key = "") {
    if (!this.#told.turns) return null;
    const { turns, now, last } = JSON.parse(this.#told.turns);
    let path = [last, now];
    let number = Number(this.#told.number);
    for (const one of this.#queue.waiting) {
      if (one.key === key) break;
      // Not what the sheet has already.
      if (one.kind === "enter" && one.number < number) continue;
      path = TableTurns.#step(turns, path, one);
      number = TableTurns.#numberAfter(one);
    }
    return turns[path.at(-1)] ?? null;
  }

  /* What was just saved is on the sheet before the sheet is seen again. */
  stepOn(one, next) {
    const told = this.#told;
    const before = one.kind === "undo" ? one.number + 1 : one.number;
    if (told.turns && Number(told.number) === before && next === TableTurns.#numberAfter(one)) {
      const known = JSON.parse(told.turns);
      const path = TableTurns.#step(known.turns, [known.last, known.now], one);
      told.turns = JSON.stringify({ ...known, now: path.at(-1) ?? null, last: path.at(-2) ?? null });
    }
    told.number = next;
  }

  static #step(turns, path, one) {
    if (one.kind === "undo") return path.slice(0, -1);
    const sent = new URLSearchParams(one.body);
    const place = path.at(-1);
    return [...path, sent.get("how-0") === "dead" ? place : turns[place]?.after[Number(sent.get("won-0"))]];
  }

  static #numberAfter(one) {
    return one.kind === "undo" ? one.number : one.number + 1;
  }
}
