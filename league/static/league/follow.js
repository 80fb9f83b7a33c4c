/* Parts of a page that follow what happens: each [data-follow] asks for itself every so many seconds, says which
   version it shows, and is put in place anew only where that has changed (ETag, 304). A page that nobody looks at
   asks for nothing; looked at again, it asks at once. What somebody is using stays as it is until he has done. */
"use strict";

(() => {
  const tags = new Map(); // the version that is shown, by address
  const shown = new Map(); // and its text, which says at the first answer whether anything is new
  let kept = null;

  const parts = () => [...document.querySelectorAll("[data-follow]")];
  const addressOf = (part) => part.getAttribute("hx-get");
  parts().forEach((part) => shown.set(addressOf(part), part.outerHTML));
  document.addEventListener("DOMContentLoaded", () => parts().forEach(wait));

  function wait(part) {
    // Not all who opened the page together ask together.
    setTimeout(ask, Number(part.dataset.follow) * 1000 * (0.85 + 0.3 * Math.random()), part);
  }

  function ask(part) {
    if (!part.isConnected) return;
    if (!document.hidden && !isUsed(part)) htmx.trigger(part, "follow");
    wait(part);
  }

  function isUsed(part) {
    const chosen = getSelection();
    if (!chosen.isCollapsed && part.contains(chosen.anchorNode)) return true;
    const active = document.activeElement;
    return part.contains(active) && active.matches("input, select, textarea");
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) parts().filter((part) => !isUsed(part)).forEach((part) => htmx.trigger(part, "follow"));
  });

  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const tag = detail.elt.dataset.follow && tags.get(addressOf(detail.elt));
    if (tag) detail.headers["If-None-Match"] = tag;
  });

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const part = detail.requestConfig.elt;
    if (!part.dataset.follow || !detail.shouldSwap) return;
    const came = new DOMParser().parseFromString(detail.serverResponse, "text/html").getElementById(part.id);
    if (!came || isUsed(part)) {
      detail.shouldSwap = false;
      return;
    }
    const address = addressOf(part);
    tags.set(address, detail.xhr.getResponseHeader("ETag") ?? "");
    if (shown.get(address) === came.outerHTML) {
      detail.shouldSwap = false;
      return;
    }
    shown.set(address, came.outerHTML);
    kept = stateOf(part);
  });

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    const part = kept && document.getElementById(kept.id);
    if (!part || detail.requestConfig.elt.id !== kept.id) return;
    restore(part, kept);
    kept = null;
    if (part.dataset.follow) wait(part);
  });

  /* What the reader did to the part: what is unfolded, how far tables are scrolled, where the focus is. */

  function namesIn(part, selector) {
    const seen = new Map();
    return [...part.querySelectorAll(selector)].map((one) => {
      const name = `${one.tagName} ${one.id} ${one.getAttribute("href") ?? ""} ${one.querySelector(":scope > summary")?.textContent ?? ""}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return [`${name} ${seen.get(name)}`, one];
    });
  }

  function stateOf(part) {
    const active = document.activeElement;
    return {
      id: part.id,
      open: new Map(namesIn(part, "details").map(([name, one]) => [name, one.open])),
      scrolled: new Map(namesIn(part, "[tabindex='0']").map(([name, one]) => [name, one.scrollLeft])),
      focus: namesIn(part, "a, button, summary, [tabindex]").find(([, one]) => one === active)?.[0],
      self: active === part,
      top: scrollY,
    };
  }

  function restore(part, state) {
    namesIn(part, "details").forEach(([name, one]) => { one.open = state.open.get(name) ?? one.open; });
    namesIn(part, "[tabindex='0']").forEach(([name, one]) => { one.scrollLeft = state.scrolled.get(name) ?? 0; });
    const again = namesIn(part, "a, button, summary, [tabindex]").find(([name]) => name === state.focus)?.[1];
    if (again) again.focus({ preventScroll: true });
    else if (state.self) part.focus({ preventScroll: true });
    if (scrollY !== state.top) scrollTo(0, state.top);
  }
})();
