/* A page that nobody looks at asks for nothing, unless a sound is to call somebody; looked at again, it asks at once.
   Where the site tells it when to look again, it asks then, and by itself only now and then. */
"use strict";

(() => {
  const SELDOM = 15_000; // milliseconds
  let stream = null;
  let asked = 0;
  let underWay = 0;
  let isDue = false; // told to look while something was under way

  const isTold = () => stream?.readyState === EventSource.OPEN;

  function look() {
    isDue = underWay > 0;
    if (!isDue) htmx.trigger("[data-stream]", "look");
  }

  function follow() {
    const address = document.querySelector("[data-stream]")?.dataset.stream;
    if (address && !stream) {
      stream = new EventSource(address);
      stream.addEventListener("look", look);
    } else if (!address) {
      stream?.close();
      stream = null;
    }
  }

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { verb, triggeringEvent } = event.detail.requestConfig;
    const isUnseen = document.hidden && verb === "get" && !document.documentElement.classList.contains("sounds");
    const asksByItself = event.target.matches("[data-stream]") && !triggeringEvent;
    if (isUnseen || (asksByItself && isTold() && Date.now() - asked < SELDOM)) event.preventDefault();
    else asked = Date.now();
  });

  document.addEventListener("htmx:beforeSend", () => { underWay += 1; });

  document.addEventListener("htmx:afterRequest", () => {
    underWay -= 1;
    follow();
    if (isDue) look();
  });

  document.addEventListener("DOMContentLoaded", follow);
})();
