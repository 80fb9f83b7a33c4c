/* A table at which one plays: cards are chosen by a tap and given back by a second, drawn onto the pile, or put in
   an order of one's own. What is chosen and unfolded stays so when the other has moved. Nothing is decided here. */
"use strict";

(() => {
  const KEPT = "gin-order-1";
  const FAR = 10; // pixels, from which a tap is a drag
  const byId = (id) => document.getElementById(id);
  const cards = () => [...document.querySelectorAll("#own-hand .playing-card")];
  const numberOf = (card) => Number(card.dataset.card);
  let order = read();
  let chosen = null;
  let before = null; // what was chosen, unfolded and scrolled before the table was put in place anew
  let drag = null;
  let wasTurn = true;
  let wasSeated = false;
  let focused = null; // what had the focus before that
  let givenBack = null; // the card that goes back as the space bar is let go
  let sound = null;
  let isRinging = false;

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  }

  function keep(news) {
    order = { ...order, ...news };
    try {
      localStorage.setItem(KEPT, JSON.stringify(order));
    } catch {
      // A browser that keeps nothing: it holds for this page.
    }
    dress();
  }

  /* Order of the hand */

  const rank = (card) => numberOf(card) % 13;
  const suit = (card) => Math.floor(numberOf(card) / 13);
  const orders = {
    melds: (one, other) => one.dataset.place - other.dataset.place,
    suits: (one, other) => numberOf(one) - numberOf(other),
    ranks: (one, other) => rank(one) - rank(other) || suit(one) - suit(other),
    own: (one, other) => placeOf(one) - placeOf(other),
  };

  function placeOf(card) {
    const place = (order.own ?? []).indexOf(numberOf(card));
    return place < 0 ? 99 : place; // what has just come is last
  }

  function dress() {
    // As it was sent, by melds, until something else is asked for.
    cards().forEach((card, place) => { card.dataset.place ??= place; });
    document.querySelectorAll("[data-sort]").forEach((button) => {
      button.setAttribute("aria-pressed", String((order.sort ?? "melds") === button.dataset.sort));
    });
    const hand = byId("own-hand");
    if (hand && order.sort) hand.append(...cards().sort(orders[order.sort]));
  }

  function begin() {
    document.querySelectorAll(".hand-head[hidden]").forEach((part) => { part.hidden = false; });
    dress();
    const again = chosen && document.querySelector(`#own-hand input[value="${chosen}"]:not(:disabled)`);
    if (again) again.checked = true;
    else chosen = null;
    if (before) restore(before);
    before = null;
    refocus();
    const { turn, seated } = byId("table").dataset;
    if (turn === "own" && !wasTurn && document.documentElement.classList.contains("sounds")) ring();
    wasTurn = turn === "own";
    // Whose session has ended is sent what a spectator sees.
    byId("away").hidden = !(wasSeated && seated === undefined && byId("table").hasAttribute("hx-get"));
    wasSeated ||= seated !== undefined;
  }

  const ways = () => [...document.querySelectorAll(".knock-way > input")];
  const foldable = () => [...document.querySelectorAll("#table details")];
  const nameOf = (part) => part.querySelector("summary").textContent;

  function remembered() {
    return {
      way: ways().find((way) => way.checked)?.value,
      unfolded: new Set(foldable().filter((part) => part.open).map(nameOf)),
      scrolled: document.querySelector(".ways")?.scrollTop ?? 0,
    };
  }

  function restore({ way, unfolded, scrolled }) {
    const same = ways().find((one) => one.value === way);
    if (same) same.checked = true;
    foldable().forEach((part) => { if (unfolded.has(nameOf(part))) part.open = true; });
    const list = document.querySelector(".ways");
    if (list) list.scrollTop = scrolled;
  }

  /* Who plays by keyboard goes on where he was, or with what is to be done next. */

  function whatHasFocus() {
    const active = document.activeElement;
    return byId("table").contains(active) ? { name: active.name, value: active.value } : null;
  }

  function refocus() {
    if (!focused) return;
    const named = `#table [name="${focused.name}"][value="${CSS.escape(focused.value ?? "")}"]:enabled`;
    const same = focused.value && document.querySelector(named);
    const next = document.querySelector("#at-table button[name]:enabled, #own-hand input:enabled");
    (same || next || byId("table")).focus({ preventScroll: true });
    focused = null;
  }

  async function ring() {
    if (isRinging) return;
    isRinging = true; // until then a browser that has not been touched keeps it waiting
    sound ??= new AudioContext(); // one for the page: what was begun by a tap goes on sounding
    await sound.resume();
    isRinging = false;
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.15, sound.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.3);
    tone.connect(volume).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.3);
  }

  document.addEventListener("click", ({ target }) => {
    const sort = target.closest("[data-sort]");
    if (sort) keep({ sort: sort.dataset.sort });
    if (!target.matches("#own-hand input")) return;
    if (chosen === target.value) {
      target.checked = false;
      chosen = null;
    } else {
      chosen = target.value;
    }
  });

  /* Space gives a card back as a second tap does; browsers do nothing by it where a choice is made already. */

  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || !event.target.matches("#own-hand input:checked")) return;
    event.preventDefault();
    givenBack = event.target;
  });

  document.addEventListener("keyup", (event) => {
    if (event.key !== " " || givenBack !== event.target) return;
    event.preventDefault();
    givenBack.checked = false;
    givenBack = chosen = null;
  });

  document.addEventListener("change", ({ target }) => {
    if (target.dataset.look === "sounds" && target.checked) ring();
    if (target.matches("#own-hand input:checked")) chosen = target.value;
  });

  /* Shift with an arrow moves the chosen card, as dragging it does. */

  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const card = step && event.shiftKey && event.target.closest("#own-hand .playing-card");
    if (!card) return;
    event.preventDefault();
    const other = cards()[cards().indexOf(card) + step];
    if (other) moveTo(card, other);
    event.target.focus();
  });

  /* Dragging: onto the pile is a discard, onto another card a new order. */

  document.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("#own-hand .playing-card");
    if (card && event.isPrimary && event.button === 0) drag = { card, x: event.clientX, y: event.clientY, moved: false };
  });

  document.addEventListener("pointermove", (event) => {
    if (drag && event.buttons === 0) drop(); // it was let go outside the window
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
    drop();
    if (!ended?.moved || !ended.card.isConnected) return;
    const below = document.elementsFromPoint(event.clientX, event.clientY);
    const other = below.map((part) => part.closest("#own-hand .playing-card")).find((one) => one && one !== ended.card);
    if (below.some((part) => part.closest("#pile"))) discard(ended.card);
    else if (other) moveTo(ended.card, other);
    // A drag is no tap.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
  });

  document.addEventListener("pointercancel", drop);
  addEventListener("blur", drop);

  function drop() {
    if (!drag) return;
    const { card, isLate } = drag;
    drag = null;
    card.classList.remove("dragged");
    card.style.translate = "";
    if (isLate) look();
  }

  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
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
    keep({ own: numbers, sort: "own" });
  }

  /* What the server says */

  const look = () => htmx.trigger("#table", "look");
  const isPress = (detail) => detail.requestConfig.verb === "post";

  function tell(id) {
    for (const name of ["lost", "failed", "away"]) byId(name).hidden = name !== id;
  }

  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (isPress(detail)) focused = whatHasFocus(); // before its button is disabled
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "table" || !detail.shouldSwap) return;
    if (drag && !isPress(detail)) {
      detail.shouldSwap = false; // what has happened is shown once the card is let go
      drag.isLate = true;
      return;
    }
    focused = whatHasFocus() ?? (isPress(detail) ? focused : null);
    before = remembered();
  });
  document.addEventListener("htmx:afterSwap", begin);
  document.addEventListener("htmx:sendError", () => tell("lost"));
  document.addEventListener("htmx:timeout", () => tell("lost"));
  document.addEventListener("htmx:responseError", ({ detail }) => {
    // Pressed again it is carried out once: a server that is being restarted has lost nothing.
    if (detail.xhr.status >= 500) tell("lost");
    else if (detail.xhr.status === 404) tell("away");
    else tell(isPress(detail) ? "failed" : "lost");
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) refocus(); // its button is there again
  });
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
    if (!detail.successful) return;
    byId("lost").hidden = true;
    if (isPress(detail)) byId("failed").hidden = true;
    if (byId("table").dataset.seated !== undefined) byId("away").hidden = true;
  });

  /* A page that was come back to is as it was left. */
  addEventListener("pageshow", (event) => {
    const [way] = performance.getEntriesByType("navigation");
    if (event.persisted || way?.type === "back_forward") look();
  });

  document.addEventListener("DOMContentLoaded", () => {
    begin();
    const isNarrow = matchMedia("(max-width: 40rem)").matches;
    const [way] = performance.getEntriesByType("navigation");
    // On a telephone the cards are there at once, and the heading above them.
    if (isNarrow && wasSeated && way?.type === "navigate" && !location.hash) byId("table").scrollIntoView();
  });
})();
