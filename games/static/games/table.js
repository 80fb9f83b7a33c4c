/* A table at which one plays: cards are chosen by a tap and given back by a second, drawn onto the pile, or put in
   an order of one's own. What is chosen and unfolded stays so when the other has moved. Nothing is decided here. */
"use strict";

(() => {
  const KEPT = "gin-cards-1";
  const FAR = 10; // pixels, from which a tap is a drag
  const byId = (id) => document.getElementById(id);
  const cards = () => [...document.querySelectorAll("#own-hand .playing-card")];
  const numberOf = (card) => Number(card.dataset.card);
  let looks = read();
  let chosen = null;
  let unfolded = new Set();
  let drag = null;
  let wasTurn = true;
  let focused = null; // what had the focus before the table was put in place anew

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  }

  function keep(name, value) {
    looks = { ...looks, [name]: value };
    localStorage.setItem(KEPT, JSON.stringify(looks));
    dress();
  }

  /* Order of the hand */

  const rank = (card) => numberOf(card) % 13;
  const suit = (card) => Math.floor(numberOf(card) / 13);
  const orders = {
    suits: (one, other) => numberOf(one) - numberOf(other),
    ranks: (one, other) => rank(one) - rank(other) || suit(one) - suit(other),
    own: (one, other) => placeOf(one) - placeOf(other),
  };

  function placeOf(card) {
    const place = (looks.order ?? []).indexOf(numberOf(card));
    return place < 0 ? 99 : place; // what has just come is last
  }

  function dress() {
    const root = document.documentElement;
    for (const name of ["four-colours", "large-cards"]) root.classList.toggle(name, Boolean(looks[name]));
    document.querySelectorAll("[data-look]").forEach((box) => { box.checked = Boolean(looks[box.dataset.look]); });
    document.querySelectorAll("[data-sort]").forEach((button) => {
      button.setAttribute("aria-pressed", String((looks.sort ?? "melds") === button.dataset.sort));
    });
    const hand = byId("own-hand");
    const order = orders[looks.sort];
    if (hand && order) hand.append(...cards().sort(order));
  }

  function begin() {
    document.querySelectorAll(".hand-head[hidden], #looks[hidden]").forEach((part) => { part.hidden = false; });
    dress();
    const again = chosen && document.querySelector(`#own-hand input[value="${chosen}"]:not(:disabled)`);
    if (again) again.checked = true;
    else chosen = null;
    document.querySelectorAll("#table details").forEach((part) => { if (unfolded.has(nameOf(part))) part.open = true; });
    refocus();
    const isTurn = byId("table")?.dataset.turn === "own";
    if (isTurn && !wasTurn && looks.sounds) ring();
    wasTurn = isTurn;
  }

  /* Who plays by keyboard goes on where he was, or with what is to be done next. */

  function refocus() {
    if (!focused) return;
    const named = `#table [name="${focused.name}"][value="${CSS.escape(focused.value ?? "")}"]:enabled`;
    const same = focused.value && document.querySelector(named);
    const next = document.querySelector("#at-table button[name]:enabled, #own-hand input:enabled");
    (same || next || byId("table")).focus({ preventScroll: true });
    focused = null;
  }

  const nameOf = (part) => part.querySelector("summary").textContent;

  function ring() {
    const context = new AudioContext();
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.15, context.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + 0.3);
    tone.onended = () => context.close();
  }

  document.addEventListener("click", ({ target }) => {
    const sort = target.closest("[data-sort]");
    if (sort) keep("sort", sort.dataset.sort);
    if (!target.matches("#own-hand input")) return;
    if (chosen === target.value) {
      target.checked = false;
      chosen = null;
    } else {
      chosen = target.value;
    }
  });

  document.addEventListener("change", ({ target }) => {
    if (target.dataset.look) keep(target.dataset.look, target.checked);
    if (target.matches("#own-hand input:checked")) chosen = target.value;
  });

  /* Dragging: onto the pile is a discard, onto another card a new order. */

  document.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("#own-hand .playing-card");
    if (card && event.isPrimary && event.button === 0) drag = { card, x: event.clientX, y: event.clientY, moved: false };
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || !drag.card.isConnected) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < FAR) return;
    if (!drag.moved) drag.card.setPointerCapture(event.pointerId); // a pile that is disabled would swallow its end
    drag.moved = true;
    drag.card.classList.add("dragged");
    drag.card.style.translate = `${x}px ${y}px`;
  });

  document.addEventListener("pointerup", (event) => {
    const ended = drag;
    drag = null;
    if (!ended?.moved || !ended.card.isConnected) return;
    settle(ended.card);
    const below = document.elementsFromPoint(event.clientX, event.clientY);
    const other = below.map((part) => part.closest("#own-hand .playing-card")).find((one) => one && one !== ended.card);
    if (below.some((part) => part.closest("#pile"))) discard(ended.card);
    else if (other) moveTo(ended.card, other);
    // A drag is no tap.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
  });

  document.addEventListener("pointercancel", () => {
    if (drag) settle(drag.card);
    drag = null;
  });

  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  function settle(card) {
    card.classList.remove("dragged");
    card.style.translate = "";
  }

  function discard(card) {
    const input = card.querySelector("input:not(:disabled)");
    const button = document.querySelector("#at-table [value='discard']");
    if (!input || !button) return;
    input.checked = true;
    chosen = input.value;
    button.click();
  }

  function moveTo(card, other) {
    const numbers = cards().map(numberOf);
    const [from, to] = [numbers.indexOf(numberOf(card)), numbers.indexOf(numberOf(other))];
    numbers.splice(to, 0, ...numbers.splice(from, 1));
    looks = { ...looks, order: numbers };
    keep("sort", "own");
  }

  /* What the server says */

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "table" || !detail.shouldSwap) return;
    const active = document.activeElement;
    focused = byId("table").contains(active) ? { name: active.name, value: active.value } : null;
    unfolded = new Set([...document.querySelectorAll("#table details[open]")].map(nameOf));
    if (detail.requestConfig.verb === "post") {
      chosen = null;
      unfolded.delete(document.querySelector(".knock-ways summary")?.textContent);
    }
  });
  document.addEventListener("htmx:afterSwap", begin);
  document.addEventListener("htmx:sendError", () => { byId("lost").hidden = false; });
  document.addEventListener("htmx:responseError", () => { byId("failed").hidden = false; });
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
    byId("lost").hidden = true;
    if (detail.successful) byId("failed").hidden = true;
  });
  document.addEventListener("DOMContentLoaded", begin);
})();
