/* The tray of a night: arrows choose a sheet, Enter opens it, n opens the next one to type. Sheets with an unsaved
   draft in this browser are marked. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const tray = document.getElementById("tray");

  const markKept = () => {
    for (const row of tray.querySelectorAll("tr[data-sheet]")) {
      let kept = null;
      try {
        kept = JSON.parse(localStorage.getItem(`gin-draft:${tray.dataset.user}:${row.dataset.sheet}`));
      } catch {
        /* Storage is not available. */
      }
      row.querySelector(".kept-here").textContent = kept ? "✎" : "";
      row.querySelector(".kept-here").title = kept ? tray.dataset.kept : "";
    }
  };
  let focused = "";
  tray.addEventListener("htmx:beforeSwap", () => { focused = document.activeElement.id; });
  tray.addEventListener("htmx:afterSwap", () => {
    markKept();
    if (focused) document.getElementById(focused)?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    if (event.key === "n" || event.key === "PageDown") {
      const next = document.getElementById("next");
      if (next) { event.preventDefault(); next.click(); }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const links = [...tray.querySelectorAll(".tray-link")];
      if (!links.length) return;
      event.preventDefault();
      const at = links.indexOf(document.activeElement);
      const step = event.key === "ArrowDown" ? 1 : -1;
      links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)].focus();
    }
  });
  markKept();
  if (document.activeElement === document.body) document.getElementById("next")?.focus();
});
