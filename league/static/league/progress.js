/* The progress bar of a long act, polled while its request runs. Without this script the page just waits. */
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
      /* Progress unknown; the act continues. */
    }
    bar.hidden = false;
    if (timer) timer = setTimeout(ask, 400);
  };

  form.addEventListener("submit", (event) => {
    if (timer) event.preventDefault(); // already submitted
    else timer = setTimeout(ask, 600);
  });
  // Reset when the page is shown from the back/forward cache.
  addEventListener("pageshow", () => {
    clearTimeout(timer);
    timer = 0;
    bar.hidden = true;
  });
});
