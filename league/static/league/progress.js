/* The bar of a long act: while its request runs, asks how far it is. Without this file the page only waits. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const bar = document.getElementById("progress");
  const form = bar?.closest("form");
  if (!form) return;
  const gauge = bar.querySelector("progress");
  const figures = bar.querySelector(".figures");
  let timer = 0;

  const ask = async () => {
    try {
      const answer = await fetch(bar.dataset.address, { headers: { Accept: "application/json" } });
      const { done, total } = answer.ok ? await answer.json() : {};
      if (total) {
        gauge.max = total;
        gauge.value = done;
        figures.textContent = `${done} / ${total}`;
      }
    } catch {
      /* No answer is no progress; the act goes on. */
    }
    bar.hidden = false;
    if (timer) timer = setTimeout(ask, 400);
  };

  form.addEventListener("submit", (event) => {
    if (timer) event.preventDefault(); // it is on its way
    else timer = setTimeout(ask, 600);
  });
  // The browser may show the page again as it was left.
  addEventListener("pageshow", () => {
    clearTimeout(timer);
    timer = 0;
    bar.hidden = true;
  });
});
