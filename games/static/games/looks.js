/* How this device shows cards, as chosen in [data-look]: a class of the page, set before anything is drawn. */
"use strict";

(() => {
  const KEPT = "gin-looks-1";
  const root = document.documentElement;
  let looks = read();

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {}; // a browser that keeps nothing
    }
  }

  function keep() {
    try {
      localStorage.setItem(KEPT, JSON.stringify(looks));
    } catch {
      // It holds for this page.
    }
  }

  function show() {
    document.querySelectorAll("#looks[hidden]").forEach((part) => { part.hidden = false; });
    document.querySelectorAll("[data-look]").forEach((box) => { box.checked = Boolean(looks[box.dataset.look]); });
  }

  for (const name of Object.keys(looks)) root.classList.toggle(name, Boolean(looks[name]));

  document.addEventListener("change", ({ target }) => {
    const name = target.dataset.look;
    if (!name) return;
    looks = { ...looks, [name]: target.checked };
    root.classList.toggle(name, target.checked);
    keep();
  });
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:afterSwap", show);
})();
