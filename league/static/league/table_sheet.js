/* The sheet below the keys: polled, and drawn anew where it is another.
   The page is reached through `page`: shown(isOtherSeats) is called after it was drawn, over(sentence) for an expired
   link, reached() after the server has answered. */
"use strict";

class TableSheet {
  #address;
  #page;
  #tag = "";
  #saves = 0; // of what waited
  #looks = 0; // at what stands on the sheet
  #drawn = 0; // the look that is shown

  constructor(address, page) {
    this.#address = address;
    this.#page = page;
  }

  /* States requested before this are outdated. */
  saved() {
    this.#saves += 1;
  }

  async refresh() {
    const since = this.#saves;
    const turn = this.#looks += 1;
    const headers = { Accept: "application/json", ...(this.#tag ? { "If-None-Match": this.#tag } : {}) };
    try {
      const response = await fetch(this.#address, { headers, cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (response.status === 404) this.#page.over((await response.json()).message);
      if (response.status === 200) {
        const html = await response.text();
        const came = response.headers.get("ETag") ?? "";
        // Not newer than what is shown: redrawing could move a button from under a finger.
        if (since !== this.#saves || turn < this.#drawn || came === this.#tag) return;
        this.#tag = came;
        this.#drawn = turn;
        this.#show(html);
      }
      if (response.ok || response.status === 304) this.#page.reached();
    } catch {
      /* The next poll comes soon. */
    }
  }

  #show(html) {
    const byId = (id) => document.getElementById(id);
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
    this.#page.shown(byId("state").dataset.seats !== seats);
  }
}
