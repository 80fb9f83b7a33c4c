/* The hall's screen turns from panel to panel. When the page is made anew it stays at the panel that is shown. It
   keeps the screen from going dark, where the browser can. Buttons and keys pause and turn it; where there is little
   room all panels stand below each other. */
"use strict";

(() => {
  const SECONDS = 12;
  const wide = matchMedia("(min-width: 48rem)");
  const time = new Intl.DateTimeFormat(document.documentElement.lang, {
    hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: document.querySelector(".clock").dataset.zone,
  });
  let shown = "";
  let paused = false;
  let dark = false; // where the browser, or its battery, does not let a page keep the screen on
  let timer = 0;

  // As wide as the round's clock is: the heads beside it end before it.
  const beside = new ResizeObserver(([{ borderBoxSize: [box] }]) => {
    document.body.style.setProperty("--beside", `${Math.ceil(box.inlineSize)}px`);
    show();
  });

  const panels = () => [...document.querySelectorAll(".panel")];

  function show() {
    const all = panels();
    const panel = all.find((each) => each.id === shown) ?? all[0];
    shown = panel.id;
    all.forEach((each) => { each.hidden = wide.matches && each !== panel; });
    document.querySelector(".screen-ways").hidden = !wide.matches;
    document.querySelector("[data-dark]").hidden = !dark;
    document.querySelector("[data-pause]").setAttribute("aria-pressed", String(paused));
    fit(panel);
    tellTime();
  }

  /* Long names take a second line, and as many of them more than the screen has. */
  function fit(panel) {
    const page = document.documentElement;
    panel.style.fontSize = "";
    if (!wide.matches) return;
    const isTooLarge = () => page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
    for (let size = 95; size >= 50 && isTooLarge(); size -= 5) panel.style.fontSize = `${size}%`;
  }

  function turn(by) {
    const all = panels();
    const at = all.findIndex((each) => each.id === shown);
    shown = all[(at + by + all.length) % all.length].id;
    show();
    wait();
  }

  function wait() {
    clearTimeout(timer);
    if (!paused) timer = setTimeout(turn, SECONDS * 1000, 1);
  }

  function pause() {
    paused = !paused;
    show();
    wait();
  }

  function tellTime() {
    const clock = document.querySelector(".clock");
    clock.textContent = time.format(new Date(serverClock.now()));
    clock.hidden = false;
  }

  async function stayAwake() {
    if (document.hidden) return;
    const isAwake = await (navigator.wakeLock?.request("screen") ?? Promise.reject()).then(() => true, () => false);
    dark = !isAwake;
    show();
  }

  document.addEventListener("click", ({ target }) => {
    if (target.dataset.turn) turn(Number(target.dataset.turn));
    else if ("pause" in target.dataset) pause();
    else if ("full" in target.dataset) document.documentElement.requestFullscreen?.();
  });

  document.addEventListener("keydown", (event) => {
    if (event.target.closest("a, button")) return;
    if (event.key === " ") pause();
    else if (event.key === "ArrowRight") turn(1);
    else if (event.key === "ArrowLeft") turn(-1);
    else return;
    event.preventDefault();
  });

  function follow() {
    const clock = document.querySelector(".round-clock");
    beside.disconnect();
    if (clock) beside.observe(clock);
    else document.body.style.removeProperty("--beside");
    show();
  }

  document.addEventListener("htmx:afterSwap", follow);
  document.addEventListener("visibilitychange", stayAwake);
  addEventListener("resize", show);
  setInterval(tellTime, 5000);
  document.body.classList.add("screen");
  follow();
  wait();
  stayAwake();
})();
