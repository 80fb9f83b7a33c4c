/* The judge, by keyboard: arrows move among the cards, and a card given back keeps the focus. Everything works
   without this file. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".judge");
  const picks = [...form.querySelectorAll(".pick")];
  const shown = (pick) => [...pick.querySelectorAll("input")].find((input) => input.offsetParent !== null);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };

  form.addEventListener("keydown", (event) => {
    const at = picks.indexOf(event.target.closest(".pick"));
    const step = steps[event.key];
    if (at < 0 || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = picks[at + step];
    if (next) shown(next)?.focus();
  });

  form.addEventListener("change", (event) => {
    const pick = event.target.closest(".pick");
    // The box for the other hand may lie on top now.
    if (pick && event.target.offsetParent === null) shown(pick)?.focus();
  });
});
