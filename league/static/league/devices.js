/* Switches on, in this browser, that one is told on it. The section says what stands in the way: its sentences are
   its `data-…`. */
"use strict";

(() => {
  const section = document.getElementById("devices");
  const button = section.querySelector("[data-switch-on]");
  const note = section.querySelector("[data-note]");
  const says = section.dataset;

  function say(sentence) {
    note.textContent = sentence;
    note.hidden = !sentence;
  }

  function bytes(key) {
    const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  }

  function isOfKey(subscription) {
    const key = subscription.options.applicationServerKey;
    return !key || String(new Uint8Array(key)) === String(bytes(says.key));
  }

  function cannot() {
    const canPush = isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
    // On an iPhone or iPad only what stands on the home screen is told anything; iPads say that they are Macs.
    const isApple = /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
    if (!canPush) return isApple && !navigator.standalone ? says.homeScreen : says.noPush;
    return Notification.permission === "denied" ? says.refused : "";
  }

  async function begin() {
    const trouble = cannot();
    if (trouble) {
      say(trouble);
      return;
    }
    const registration = await navigator.serviceWorker.register(says.worker);
    const known = await registration.pushManager.getSubscription();
    const own = known && section.querySelector(`[data-endpoint="${CSS.escape(known.endpoint)}"]`);
    // Whoever signs out is told nothing more here, in whichever session it was switched on.
    if (own) document.querySelector("[data-told-here]").value = known.endpoint;
    // One for a key that this site has no more is told nothing.
    const isTold = own && isOfKey(known);
    if (isTold) own.querySelector("[data-this]").hidden = false;
    button.hidden = Boolean(isTold);
  }

  async function switchOn() {
    say("");
    if ((await Notification.requestPermission()) !== "granted") {
      say(cannot() || says.notAllowed);
      return;
    }
    const { pushManager } = await navigator.serviceWorker.ready;
    // One from before may be for a key that this site has no more.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(says.key) });
    const { endpoint, keys } = made.toJSON();
    const answer = await fetch(says.address, {
      method: "POST",
      headers: { "X-CSRFToken": section.querySelector("[name=csrfmiddlewaretoken]").value },
      body: new URLSearchParams({ endpoint, ...keys }),
    });
    if (answer.ok) {
      location.hash = "devices";
      location.reload();
      return;
    }
    await made.unsubscribe();
    say((await answer.json()).message);
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    await switchOn().catch(() => say(says.failed));
    button.disabled = false;
  });
  begin().catch(() => say(says.failed));
})();
