/* The page of the API is as light or dark as the device: its package has the colours, but waits for a class. */
"use strict";

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", show);
  show();
})();
