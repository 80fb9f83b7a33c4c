/* The page without a connection: what waits on this device, and the page that was asked for as soon as there is one. */
"use strict";

(() => {
  const TABLE = "gin-table:"; // as in table_queue.js, with the code of the sheet and the side
  const DRAFT = "gin-draft:"; // as in entry_draft.js
  const SECONDS = 5; // between two looks for a connection
  let clock = null;
  const byId = (id) => document.getElementById(id);

  function stored() {
    // Null where the browser has no storage: nothing is said of what waits then.
    try {
      return Object.keys(localStorage);
    } catch {
      return null;
    }
  }

  function line(key, list) {
    const count = JSON.parse(localStorage.getItem(key)).length;
    const link = document.createElement("a");
    link.href = `/table/${key.slice(TABLE.length).replace(":", "/")}/`;
    link.textContent = count === 1 ? list.dataset.one : list.dataset.many.replace("{count}", count);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  document.addEventListener("DOMContentLoaded", () => {
    const keys = stored();
    const list = byId("waiting").querySelector("ul");
    list.append(...(keys ?? []).filter((key) => key.startsWith(TABLE)).map((key) => line(key, list)));
    byId("waiting").hidden = !list.children.length;
    byId("drafts").hidden = !keys?.some((key) => key.startsWith(DRAFT));
    byId("nothing").hidden = !keys || !byId("waiting").hidden;
    byId("again").addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
    addEventListener("online", look);
    clock = setTimeout(look, SECONDS * 1000);
  });

  async function look() {
    clearTimeout(clock);
    try {
      await fetch(location.href, { method: "HEAD" });
      location.reload();
    } catch {
      clock = setTimeout(look, SECONDS * 1000);
    }
  }
})();
