/* The page of a table: a hand is tapped in (`table_hands.js`, `table_keys.js`), scored by the server, and handed to the
   queue (`table_queue.js`); the sheet below is polled (`table_sheet.js`). No points are computed here. */
"use strict";

(() => {
  const SECONDS = 4; // between two polls
  const KEPT = "gin-table-1"; // the cache's name, as in worker.js
  const byId = (id) => document.getElementById(id);
  const form = byId("entry");
  document.addEventListener("DOMContentLoaded", () => {
    if (form) tablePage(JSON.parse(byId("page-data").textContent));
  });

  function tablePage(data) {
    const says = byId("sentences").dataset;
    const save = byId("save");
    const said = byId("said");
    const hands = new TableHands(form, data.seats, says);
    const sheet = new TableSheet(form.dataset.state, { shown, over, reached });
    const queue = new TableQueue(data.place, { address, told, saved, refresh: () => sheet.refresh(), over });
    const turns = new TableTurns(queue);
    const keys = new TableKeys(form, hands, { changed, full });
    let begun = null; // the number of the deal that is being tapped in: what was next when it was begun
    let mends = ""; // the key of what waits and is being changed
    let asked = 0; // questions for the worth of the hand
    let worth = { fields: "", problem: "" }; // of the fields as they were asked about
    let clock = null;

    form.classList.remove("no-script");
    form.noValidate = true;
    listen();
    tellOpenness();
    begin();
    queue.goOn();
    sheet.refresh();

    /* The deal on the screen. */

    function begin() {
      hands.clear();
      mends = "";
      begun = null;
      asked += 1;
      pair();
      keys.activate(null);
      said.textContent = "";
      nameSave("");
    }

    function pair() {
      hands.pair(turns.nextNumber(), turns.before());
    }

    function isTouched() {
      return begun !== null;
    }

    /* It keeps the number with which it was begun. */
    function shownNumber() {
      return begun ?? turns.nextNumber();
    }

    /* Whether others play it by now, as one before it was corrected. */
    function isOthers() {
      const { both } = hands;
      const turn = both && !mends && begun === turns.nextNumber() ? turns.before() : null;
      return Boolean(turn) && both.value !== turn.playing.join(" ");
    }

    /* Nobody can enter a deal of which it is not known here who plays it. */
    function isUnknown() {
      return !isTouched() && Boolean(hands.both) && turns.isOpen && !turns.before();
    }

    function fields() {
      const sent = new FormData(form);
      sent.delete("csrfmiddlewaretoken");
      return new URLSearchParams(sent);
    }

    function changed() {
      begun ??= turns.nextNumber();
      said.textContent = "";
      said.classList.remove("is-refused");
      nameSave("");
      asked += 1;
      if (hands.isComplete()) {
        clearTimeout(clock);
        clock = setTimeout(askWorth, 150, asked);
      }
    }

    function full() {
      said.textContent = hands.lastFilled() ? says.full : says.noFigure;
      tellWhyNot();
    }

    async function askWorth(number) {
      form.elements.number.value = shownNumber();
      const told = fields();
      let answer = null;
      try {
        const headers = { Accept: "application/json" };
        const response = await fetch(`${form.dataset.preview}?${told}`, { headers, signal: AbortSignal.timeout(8000) });
        answer = await response.json();
      } catch {
        answer = null;
      }
      if (number !== asked) return;
      if (!answer) {
        said.textContent = says.later;
        return;
      }
      worth = { fields: told.toString(), problem: answer.worth ? "" : answer.message };
      // What a key has been told since stays, as long as nothing is wrong.
      if (!answer.worth || !said.textContent) {
        said.classList.toggle("is-refused", !answer.worth);
        said.textContent = answer.worth ? answer.said : answer.message;
      }
      nameSave(answer.worth ?? "");
    }

    function nameSave(text) {
      save.textContent = text || says.save;
    }

    function submit(event) {
      event.preventDefault();
      if (!hands.isComplete()) {
        said.classList.add("is-refused");
        said.textContent = says.missing;
        keys.activate(hands.firstEmpty());
        tellWhyNot();
        return;
      }
      const waits = queue.waiting.find((one) => one.key === mends);
      // The other side may have entered the same deal meanwhile; keep its number.
      const number = waits ? Math.min(waits.number, turns.nextNumber(mends)) : shownNumber();
      form.elements.number.value = number;
      if (worth.problem && worth.fields === fields().toString()) {
        tellWhyNot();
        return;
      }
      const key = newKey();
      form.elements.key.value = key;
      const words = say(says.entered, { number, said: hands.words() });
      const one = { kind: "enter", key, number, body: fields().toString(), said: words };
      begin();
      if (waits) queue.replace(waits.key, one);
      else queue.add(one);
      pair();
    }

    function tellWhyNot() {
      // The message is below the keys, which fill a small screen.
      said.scrollIntoView({ block: "nearest" });
    }

    /* The queue and the sheet. */

    function address(kind) {
      return kind === "undo" ? form.dataset.undo : form.action;
    }

    function told() {
      const { waiting } = queue;
      const number = shownNumber();
      const isOvertaken = !mends && begun !== null && begun < turns.nextNumber();
      const why = isOvertaken ? says.overtaken : isOthers() ? says.others : "";
      byId("overtaken").hidden = !why;
      byId("overtaken").firstChild.textContent = say(why, { number });
      const notes = [];
      if (waiting.length) {
        const { noNetwork: network, busy, serverTrouble: server, linkOver: over } = says;
        const state = { network, busy, server, over }[queue.trouble];
        notes.push(say(says.notSaved, { count: waiting.length }), ...(state ? [state] : []));
      } else notes.push(says.allSaved);
      if (turns.isOpen) notes.unshift(say(says.deal, { number }));
      const text = notes.join(" · ");
      if (byId("kept").textContent !== text) byId("kept").textContent = text;
      byId("kept").classList.toggle("is-waiting", waiting.length > 0);
      form.hidden = (!turns.isOpen && !mends) || isUnknown();
      byId("unknown-turn").hidden = !isUnknown();
      byId("waiting").hidden = waiting.length === 0;
      byId("waiting-why").textContent = { network: says.whenNetwork, busy: says.whenFree, server: says.whenMended }[queue.trouble] ?? "";
      byId("waiting").querySelector("ol").replaceChildren(...waiting.map((one, index) => waits(one, index === waiting.length - 1)));
      if (!queue.isKept) showProblem(says.noStorage);
      if (!isTouched()) pair();
      tellTurn();
    }

    function waits(one, isLast) {
      const item = document.createElement("li");
      item.append(one.said);
      const act = (text, run) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.addEventListener("click", run);
        item.append(button);
      };
      if (one.refused) {
        const why = document.createElement("p");
        why.className = "refused";
        why.textContent = one.refused;
        item.append(why);
        if (one.kind === "enter") act(says.mend, () => mend(one));
        act(says.drop, () => queue.drop(one.key));
      } else if (isLast && one.kind === "enter") {
        act(says.undo, () => takeBack(one));
      }
      return item;
    }

    function tellTurn() {
      const coming = byId("coming");
      if (!coming || isTouched()) return;
      const turn = turns.before();
      const called = (seats) => seats.map((seat) => hands.players[seat]).join(", ");
      const notes = turn ? [say(says.deals, { name: hands.players[turn.dealer] })] : [];
      if (turn?.waiting.length) notes.push(say(says.sitsOut, { names: called(turn.waiting) }));
      coming.textContent = notes.join(" · ");
    }

    function mend(one) {
      begin();
      mends = one.key;
      hands.fill(one.body, turns.before(one.key));
      begun = one.number;
      changed();
      form.scrollIntoView();
    }

    function takeBack(one) {
      // Undo on the server what it may have received; simply drop what was never sent.
      const now = queue.waiting.find((other) => other.key === one.key);
      if (now?.isTried) undo(one.number, newKey());
      else if (now) queue.drop(one.key);
    }

    function undo(number, key) {
      const body = new URLSearchParams({ number, key }).toString();
      if (queue.waiting.some((one) => one.kind === "undo" && one.number === number)) return;
      queue.add({ kind: "undo", key, number, body, said: say(says.undone, { number }) });
    }

    async function saved(answer) {
      // Before anything else is entered.
      turns.stepOn(queue.waiting[0], answer.next);
      sheet.saved();
      // Another deal can be undone now; the next state says which.
      document.querySelectorAll("[data-undo-form] button").forEach((button) => { button.disabled = true; });
      showProblem("");
      if (!isTouched()) {
        said.classList.remove("is-refused");
        said.textContent = answer.message;
      }
      await sheet.refresh();
    }

    function over(message) {
      showProblem(message || says.linkOver);
    }

    function showProblem(text) {
      byId("problem").textContent = text;
      byId("problem").hidden = !text;
    }

    function shown(isOfOthers) {
      // Other players have taken the seats: reload the form.
      if (isOfOthers && !isTouched()) location.reload();
      told();
    }

    function reached() {
      if (queue.trouble === "network") queue.goOn();
    }

    async function sendPlain(plain) {
      const button = plain.querySelector("button");
      button.disabled = true;
      const sent = new FormData(plain);
      sent.delete("csrfmiddlewaretoken");
      const came = await post(plain.action, new URLSearchParams(sent));
      button.disabled = false;
      if (!came) showProblem(says.notSent);
      else showProblem(came.status < 300 ? "" : came.answer?.message ?? says.notTaken);
      await sheet.refresh();
    }

    /* The page itself. */

    async function keepPage() {
      // The service worker caches only later loads, so cache this page now.
      if (!isSecureContext || !navigator.serviceWorker) return false;
      try {
        await navigator.serviceWorker.register(form.dataset.worker);
        await navigator.serviceWorker.ready;
        const kept = await caches.open(KEPT);
        await kept.add(location.pathname);
        return true;
      } catch {
        return false;
      }
    }

    async function tellOpenness() {
      const notes = [(await keepPage()) ? says.opensOffline : says.stayOpen];
      if (queue.isElsewhere) notes.push(says.elsewhere);
      byId("openness").textContent = notes.join(" ");
    }

    function listen() {
      form.addEventListener("submit", submit);
      byId("overtaken").querySelector("button").addEventListener("click", () => { begin(); told(); });
      form.addEventListener("input", (event) => {
        const hand = event.target.closest(".hand");
        if (hand) hands.settle(hand);
        changed();
      });
      form.addEventListener("change", (event) => {
        const hand = event.target.closest(".hand");
        if (event.target.name.startsWith("meets-")) hands.swapMeets(hand, event.target);
        const figure = hands.shownFigures(hand).find((one) => !one.value);
        if (event.target.type === "radio") keys.activate(figure ?? null);
        // Their figures fill more than a small screen has above the keys.
        if (figure && hand.matches(".of-several")) figure.scrollIntoView({ block: "nearest" });
      });
      document.addEventListener("submit", (event) => {
        const sent = event.target;
        if (sent.matches("[data-plain]")) {
          event.preventDefault();
          sendPlain(sent);
        } else if (sent.matches("[data-undo-form]")) {
          event.preventDefault();
          undo(Number(sent.elements.number.value), sent.elements.key.value);
        }
      });
      document.addEventListener("visibilitychange", () => document.hidden || sheet.refresh());
      setInterval(() => document.hidden || sheet.refresh(), SECONDS * 1000);
    }
  }
})();
