/* A page that nobody looks at asks for nothing, unless a sound is to call somebody; looked at again, it asks at once. */
"use strict";

document.addEventListener("htmx:beforeRequest", (event) => {
  const isHeard = document.documentElement.classList.contains("sounds");
  if (document.hidden && !isHeard && event.detail.requestConfig.verb === "get") event.preventDefault();
});
