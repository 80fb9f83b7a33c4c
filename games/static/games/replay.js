/* Arrow keys, Home and End step through a hand as its links do. */
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const name = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!name || event.target.closest("input, select, textarea, [role=region]")) return;
  event.preventDefault();
  document.querySelector(`#step-${name}[href]`)?.click();
});
