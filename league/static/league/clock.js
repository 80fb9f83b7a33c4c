/* Counts the time of a round down, in each [data-ends], by the server's clock: this machine's may be wrong. What the
   server's clock says stands in the Date of its answers, which every server sends (RFC 9110, 6.6.1), to the second. */
"use strict";

const serverClock = (() => {
  const ASK_AGAIN = 300000;
  const TRY_AGAIN = 15000;
  const LAST = 300; // seconds, in which all see that the time is nearly up
  // How far the server's clock is ahead of this one, in ms, is between these two. Each answer brings them nearer to
  // each other; one that does not fit says that a clock was set, or that they have drifted apart.
  let least = -Infinity;
  let most = Infinity;
  let asked = -Infinity;
  let timer = 0;

  const isKnown = () => least > -Infinity;
  const now = () => Date.now() + (isKnown() ? (least + most) / 2 : 0);

  async function ask() {
    const sent = Date.now();
    asked = sent;
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
    const said = Date.parse(answer?.headers.get("Date"));
    if (Number.isNaN(said)) return;
    const [low, high] = [said - Date.now(), said + 1000 - sent];
    [least, most] = low <= most && high >= least ? [Math.max(low, least), Math.min(high, most)] : [low, high];
    tell();
  }

  function figures(seconds) {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const parts = hours ? [hours, String(minutes).padStart(2, "0")] : [minutes];
    return [...parts, String(seconds % 60).padStart(2, "0")].join(":");
  }

  function tell() {
    // A machine that slept, or whose clock was set, asks at once.
    const since = Math.abs(Date.now() - asked);
    const isDue = since >= (isKnown() ? ASK_AGAIN : TRY_AGAIN);
    if (isDue && document.querySelector("[data-ends], [data-zone]")) ask();
    if (isKnown()) document.querySelectorAll("[data-ends]").forEach(count);
    clearTimeout(timer);
    timer = setTimeout(tell, 1000 - (now() % 1000));
  }

  function count(clock) {
    const left = Math.ceil((Date.parse(clock.dataset.ends) - now()) / 1000);
    const text = left > 0 ? figures(left) : clock.dataset.up;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("is-last", left > 0 && left <= LAST);
    clock.classList.toggle("is-up", left <= 0);
    clock.hidden = false;
  }

  // A part of the page that is put in place anew counts on before it is seen.
  new MutationObserver(tell).observe(document.body, { childList: true, subtree: true });
  tell();
  return { now };
})();
