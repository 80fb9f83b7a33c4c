/* The queue of entries made on a phone that are not on the sheet yet: stored in the browser with their keys, sent in
   order, and resent until answered. An entry is {kind, key, number, body, said, refused, isTried}: `body` is the form
   data, `said` the entry in words, `refused` the server's message if it refused the entry, which blocks those after it
   until it is changed or dropped; `isTried` says that the server may have it.
   The page is reached through `page`: address(kind) returns an address, told() is called after any change,
   saved(answer) after each success, refresh() polls the state, over(sentence) is called for an expired link. */
"use strict";

function cookie(name) {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

function csrfToken() {
  // From the cookie: the token in a page that stayed open for days may be outdated.
  return cookie("csrftoken") || document.querySelector("[name=csrfmiddlewaretoken]").value;
}

function newKey() {
  // crypto.randomUUID is not available over plain HTTP.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function post(address, fields) {
  // Returns {status, answer}, or null without a response.
  const headers = { "X-CSRFToken": csrfToken(), Accept: "application/json" };
  try {
    const body = new URLSearchParams(fields);
    const response = await fetch(address, { method: "POST", body, headers, signal: AbortSignal.timeout(15000) });
    return { status: response.status, answer: await response.json().catch(() => null) };
  } catch {
    return null;
  }
}

class TableQueue {
  static #PREFIX = "gin-table:";
  #page;
  #storageKey;
  #memory = null; // used if the browser has no storage
  #sending = false;
  #retry = null;
  #waited = 0;
  trouble = ""; // "" or "network", "busy", "server", "over"

  constructor(place, page) {
    this.#page = page;
    this.#storageKey = TableQueue.#PREFIX + place;
    addEventListener("online", () => this.goOn());
    // Another tab has changed the queue.
    addEventListener("storage", (event) => event.key === this.#storageKey && page.told());
  }

  get waiting() {
    if (this.#memory) return this.#memory;
    try {
      return JSON.parse(localStorage.getItem(this.#storageKey)) ?? [];
    } catch {
      return [];
    }
  }

  get isKept() {
    return this.#memory === null;
  }

  get isElsewhere() {
    // True if this phone has queued entries of another table.
    try {
      return Object.keys(localStorage).some((key) => key.startsWith(TableQueue.#PREFIX) && key !== this.#storageKey);
    } catch {
      return false;
    }
  }

  add(one) {
    this.#store([...this.waiting, { refused: "", ...one }]);
    this.goOn();
  }

  replace(key, other) {
    this.#change(key, { refused: "", isTried: false, ...other });
    this.goOn();
  }

  drop(key) {
    // Renumber the deals after a dropped one.
    const gone = this.waiting.find((one) => one.key === key);
    const isDeal = gone?.kind === "enter";
    let isAfter = false;
    const kept = [];
    for (const one of this.waiting) {
      if (one.key === key) isAfter = true;
      else kept.push(isAfter && isDeal ? TableQueue.#renumbered(one, one.number - 1) : one);
    }
    this.#store(kept);
    this.goOn();
  }

  static #renumbered(one, number) {
    const body = new URLSearchParams(one.body);
    body.set("number", number);
    return { ...one, number, body: body.toString() };
  }

  goOn() {
    this.#waited = 0;
    clearTimeout(this.#retry);
    if (!this.#sending) this.#send();
  }

  async #send() {
    this.#sending = true;
    for (let next = this.waiting[0]; next && !next.refused; next = this.waiting[0]) {
      // Send nothing while offline: what was never sent can simply be dropped.
      if (!navigator.onLine) {
        this.#tryLater("network");
        break;
      }
      this.#change(next.key, { isTried: true });
      const came = await post(this.#page.address(next.kind), next.body);
      if (came?.status === 404) {
        // The link has expired. The queue stays, for a new link of the same side.
        this.trouble = "over";
        this.#page.over(came.answer?.message);
        break;
      }
      if (!came || came.status >= 500 || [409, 429].includes(came.status) || !came.answer) {
        this.#tryLater(TableQueue.#troubleOf(came));
        // The page was open too long; refreshing renews the CSRF token.
        if (came?.status === 403) await this.#page.refresh();
        break;
      }
      this.trouble = "";
      this.#waited = 0;
      if (came.status < 300) {
        const heard = this.#page.saved(came.answer);
        this.#store(this.waiting.filter((one) => one.key !== next.key));
        await heard;
      } else {
        this.#change(next.key, { refused: came.answer.message });
      }
    }
    this.#sending = false;
    this.#page.told();
  }

  static #troubleOf(came) {
    if (!came) return "network";
    return came.status === 409 ? "busy" : "server";
  }

  #tryLater(trouble) {
    this.trouble = trouble;
    this.#retry = setTimeout(() => this.#sending || this.#send(), 1000 * 2 ** Math.min(this.#waited, 5));
    this.#waited += 1;
  }

  #change(key, values) {
    this.#store(this.waiting.map((one) => (one.key === key ? { ...one, ...values } : one)));
  }

  #store(waiting) {
    try {
      if (waiting.length) localStorage.setItem(this.#storageKey, JSON.stringify(waiting));
      else localStorage.removeItem(this.#storageKey);
      this.#memory = null;
    } catch {
      this.#memory = waiting;
    }
    window.onbeforeunload = this.#memory?.length ? (event) => event.preventDefault() : null;
    this.#page.told();
  }
}
