/* Has the browser take the pages' service worker. Where it cannot, pages are as they are without one. */
"use strict";

if (isSecureContext && navigator.serviceWorker) {
  navigator.serviceWorker.register(document.currentScript.dataset.worker).catch(() => undefined);
}
