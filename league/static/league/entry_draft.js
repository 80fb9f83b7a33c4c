/* The draft of a sheet: stored in the browser until it is saved, sent as one act with one key, and resent until it
   is answered. The page is reached through `page`: gather() returns what is typed, say(sentence, isTrouble) shows a
   message, point(answer) marks the fields of a refusal, told() is called after any change. */
"use strict";

function cookie(name) {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

function token() {
  // From the cookie: signing in again in another tab changes it.
  return cookie("csrftoken") || document.querySelector("[name=csrfmiddlewaretoken]").value;
}

function newKey() {
  // crypto.randomUUID is not available over plain HTTP.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

class SheetDraft {
  /* Beside the draft the value has browser-only state: `sent` is the draft being sent, `unsure` is set when an
     answer was lost, so that it may have been saved. */
  #page;
  #says;
  #address;
  #storageKey;
  #saved;
  #saving = false;
  #retry = null;
  #waited = 0;

  constructor(data, { page, says, address }) {
    this.#page = page;
    this.#says = says;
    this.#address = address;
    this.#storageKey = `gin-draft:${data.user}:${data.sheet}`;
    this.#saved = SheetDraft.content(data.draft);
    const stored = this.#load();
    this.wasKept = Boolean(stored);
    this.value = { ...data.draft, ...(stored ?? { key: newKey() }) };
    this.value.sent ??= null;
  }

  static content(one) {
    // The contents of a draft as a comparable string, without browser-only state and trailing blank rows.
    const full = one.rows.map((row) => row.map((text) => text.trim()).join("\n").trim());
    while (full.length && !full.at(-1)) full.pop();
    const { net, none, totals, boxes, lines } = one.paper;
    return JSON.stringify([one.left, one.running, one.lines, full, [net, none, totals, boxes, lines], one.signed, one.accepted, one.reason]);
  }

  get isTouched() {
    return SheetDraft.content(this.value) !== this.#saved;
  }

  get isOnItsWay() {
    return this.value.sent !== null;
  }

  isStoredUnder(key) {
    return key === this.#storageKey;
  }

  /* Storage. */

  keep() {
    this.#take();
    try {
      if (this.isOnItsWay || this.isTouched) this.#store();
      else localStorage.removeItem(this.#storageKey);
      window.onbeforeunload = null;
    } catch {
      this.#page.say(this.#says.noStorage);
      window.onbeforeunload = (event) => event.preventDefault();
    }
    this.#page.told();
  }

  forget() {
    try {
      localStorage.removeItem(this.#storageKey);
    } catch {
      /* Storage is not available. */
    }
    window.onbeforeunload = null;
  }

  snapshot() {
    const { sent, unsure, ...rest } = { ...this.value, ...this.#page.gather() };
    return rest;
  }

  #load() {
    try {
      return JSON.parse(localStorage.getItem(this.#storageKey));
    } catch {
      return null;
    }
  }

  #take() {
    Object.assign(this.value, this.#page.gather());
  }

  #store() {
    localStorage.setItem(this.#storageKey, JSON.stringify(this.value));
  }

  /* Saving: a sent draft is remembered until it is answered, and resent with the same key. */

  async save() {
    this.keep();
    if (!this.#saving) await this.send();
  }

  async send() {
    clearTimeout(this.#retry);
    this.#saving = true;
    this.#page.say(this.#says.saving);
    this.value.sent ??= this.snapshot();
    this.keep();
    const body = new URLSearchParams({ draft: JSON.stringify(this.value.sent) });
    const headers = { "X-CSRFToken": token(), Accept: "application/json" };
    let response;
    let answer = null;
    try {
      response = await fetch(this.#address, { method: "POST", body, headers, signal: AbortSignal.timeout(20000) });
      answer = await response.json().catch(() => null);
    } catch {
      response = null;
    }
    this.#saving = false;
    if (!response || response.status >= 500 || (response.ok && !answer)) {
      this.#waitAndRetry(response ? this.#says.trouble : this.#says.offline);
    } else if (response.ok) {
      await this.#arrived(answer);
    } else {
      this.#refused(response.status, answer);
    }
  }

  goOn() {
    if (this.isOnItsWay && !this.#saving) this.send();
  }

  async #arrived(answer) {
    const { sent } = this.value;
    this.#take();
    this.value.sent = null;
    this.value.unsure = false;
    this.#waited = 0;
    if (SheetDraft.content(this.value) === SheetDraft.content(sent)) {
      this.forget();
      location.assign(answer.url);
    } else if (answer.outcome === "typed_twice") {
      // More was typed meanwhile: send it too, to be compared with the sheet.
      await this.send();
    } else {
      // What was typed meanwhile becomes a new draft.
      this.#beginOn(answer);
    }
  }

  #beginOn(answer) {
    this.value.version = answer.version;
    this.value.key = newKey();
    this.keep();
    location.assign(answer.url);
  }

  #refused(status, answer) {
    // If signed out, an earlier attempt may have succeeded; any other refusal means that nothing was saved.
    if (!((status === 401 || status === 403) && this.value.unsure)) {
      this.value.sent = null;
      this.value.unsure = false;
    }
    if (answer?.code === "key_reused") {
      this.#beginOn(answer);
      return;
    }
    this.keep();
    if (status === 401) this.#page.say(this.#says.signedOut, true);
    else if (!answer) this.#page.say(this.#says.refused, true);
    else {
      this.#page.say(answer.message, true);
      this.#page.point(answer);
    }
  }

  #waitAndRetry(sentence) {
    this.value.unsure = true;
    this.keep();
    this.#page.say(sentence, true);
    this.#waited = Math.min(this.#waited + 1, 5);
    this.#retry = setTimeout(() => this.send(), 1000 * 2 ** this.#waited);
  }
}
