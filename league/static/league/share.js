/* The button "Share" hands the page's address to another program, or copies it where there is none to choose. */
"use strict";

(() => {
  const told = (name) => document.querySelector(`meta[property="og:${name}"]`).content;

  async function share(button) {
    if (!navigator.share) {
      await navigator.clipboard.writeText(told("url"));
      button.textContent = button.dataset.copied;
      return;
    }
    await navigator.share({ title: told("title"), url: told("url") }).catch((reason) => {
      if (reason.name !== "AbortError") throw reason; // the reader has thought better of it
    });
  }

  document.addEventListener("click", ({ target }) => {
    if ("share" in target.dataset) share(target);
  });
  if (navigator.share || navigator.clipboard) document.documentElement.classList.add("can-share");
})();
