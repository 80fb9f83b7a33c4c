/* A page that nobody looks at asks for nothing; looked at again, it asks at once. */
"use strict";

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden) event.preventDefault();
});
