/* The sheet page: rows, keys, and placing each echo. It computes nothing and never writes into a field that has been
   typed in, except for an accepted repair. `entry_draft.js` stores and sends the draft, `entry_repairs.js` searches
   for repairs. */
"use strict";

(() => {
  const form = document.getElementById("draft");
  // After htmx, which is loaded first and waits for the same event.
  document.addEventListener("DOMContentLoaded", () => {
    if (form) sheetPage(form, JSON.parse(document.getElementById("page-data").textContent));
  });

  function sheetPage(form, data) {
    const rows = document.getElementById("rows");
    const template = document.getElementById("row-template");
    const says = document.getElementById("sentences").dataset;
    const byId = (id) => document.getElementById(id);
    const fields = { net: byId("net"), none: byId("none"), boxes: byId("boxes"), lines: byId("lines-count") };
    const page = { gather, say, point, told: tellKept };
    const draft = new SheetDraft(data, { page, says, address: form.dataset.save });
    const repairs = new RepairSearch(byId("repairs"), {
      address: form.dataset.repairs,
      searching: says.searching,
      snapshot: () => draft.snapshot(),
    });

    let number = 0; // of the last echo that was asked for
    let placed = 0; // of the last one that came; the page begins with one

    begin();

    function begin() {
      if (draft.wasKept) show(draft.value);
      listen();
      tellKept();
      if (draft.wasKept) askEcho();
      else if (form.dataset.differs) repairs.begin(number);
      byId("save").disabled = false;
      if (draft.isOnItsWay) draft.send();
      else ((!draft.wasKept && document.querySelector("[autofocus]")) || firstField()).focus();
    }

    /* The typed rows and fields. */

    function gather() {
      return {
        left: draft.value.left,
        running: byId("running").checked,
        lines: byId("lines")?.checked ?? false,
        rows: rowList().map((row) => cellsOf(row).map((cell) => cell.value)),
        overridden: draft.value.overridden,
        paper: {
          net: fields.net.value,
          none: fields.none.checked,
          totals: [...form.querySelectorAll(".total")].map((field) => field.value),
          boxes: fields.boxes.value,
          lines: fields.lines.value,
        },
        reason: byId("reason").value,
        accepted: byId("accepted").value,
        signed: byId("signed")?.checked ?? false,
      };
    }

    function show(one) {
      one.rows.forEach((texts, index) => {
        const row = rowList()[index] ?? addRow(null);
        fill(row, texts);
      });
      while (rowList().length > one.rows.length) rowList().at(-1).remove();
      byId("running").checked = one.running;
      if (byId("lines")) byId("lines").checked = one.lines;
      fields.net.value = one.paper.net;
      fields.none.checked = one.paper.none;
      fields.boxes.value = one.paper.boxes;
      fields.lines.value = one.paper.lines;
      form.querySelectorAll(".total").forEach((field, index) => { field.value = one.paper.totals[index] ?? ""; });
      byId("reason").value = one.reason;
      byId("accepted").value = one.accepted;
      if (byId("signed")) byId("signed").checked = one.signed;
      renumber();
    }

    /* Rows and fields. */

    function rowList() {
      return [...rows.children];
    }

    function cellsOf(row) {
      return [...row.querySelectorAll("input.cell")];
    }

    function isBlank(row) {
      return cellsOf(row).every((cell) => !cell.value.trim());
    }

    function isSaved(row) {
      return rowList().indexOf(row) < data.saved;
    }

    function fill(row, texts) {
      const wanted = Math.max(texts.length, draft.value.lines ? 1 : data.tables);
      const typed = row.querySelector(".typed");
      while (typed.children.length > wanted) typed.lastElementChild.remove();
      while (typed.children.length < wanted) typed.append(typed.lastElementChild.cloneNode(true));
      cellsOf(row).forEach((cell, index) => {
        cell.value = texts[index] ?? "";
        cell.removeAttribute("aria-invalid");
      });
    }

    function addRow(before) {
      rows.insertBefore(template.content.firstElementChild.cloneNode(true), before);
      const row = before ? before.previousElementSibling : rows.lastElementChild;
      fill(row, [""]);
      renumber();
      return row;
    }

    function renumber() {
      rowList().forEach((row, index) => {
        for (const place of row.querySelectorAll("[data-number]")) place.textContent = index + 1;
        row.querySelector(".row-words").id = `echo-${index + 1}`;
        for (const cell of cellsOf(row)) cell.setAttribute("aria-describedby", `echo-${index + 1}`);
      });
    }

    function firstField() {
      const row = rowList().find(isBlank) ?? rowList().at(-1);
      return row ? cellsOf(row)[0] : fields.net;
    }

    function enterField(cell) {
      cell.focus();
      cell.select();
    }

    function strike(row) {
      const index = rowList().indexOf(row);
      if (isSaved(row)) {
        // A saved row keeps its number; striking it again restores it.
        const was = data.draft.rows[index];
        fill(row, cellsOf(row)[0].value.trim() === "v" ? was : ["v"]);
      } else if (rowList().length > 1) {
        row.remove();
        renumber();
      } else {
        fill(row, [""]);
      }
      changed();
      enterField(cellsOf(rowList()[Math.min(index, rowList().length - 1)])[0]);
    }

    function takeRepair(button) {
      // Repairs found for older rows may no longer apply.
      if (!repairs.isFor(number)) return;
      const index = Number(button.dataset.row) - 1;
      const { old, new: text } = button.dataset;
      let row = rowList()[index];
      if (text === undefined) {
        strike(row);
        return;
      }
      if (old === undefined) {
        row = addRow(row ?? null);
        fill(row, [text]);
      } else {
        cellsOf(row)[Number(button.dataset.cell || 0)].value = text;
      }
      changed();
      const cells = cellsOf(row);
      enterField(cells[Number(button.dataset.cell || 0)] ?? cells[0]);
    }

    function override(button) {
      const { overridden } = draft.value;
      if (!overridden.includes(button.dataset.override)) overridden.push(button.dataset.override);
      const cell = button.closest("tr").querySelector("input.cell");
      changed();
      cell.focus();
    }

    function settleDoubt() {
      // Dismiss only the focused warning; otherwise move to the next one, so that it is read first.
      const all = rowList();
      const doubtIn = (row) => row.querySelector("[data-override]");
      const at = all.indexOf(document.activeElement.closest("tr"));
      const own = all[at] && doubtIn(all[at]);
      const next = all.slice(at + 1).find(doubtIn) ?? all.find(doubtIn);
      if (own) override(own);
      else if (next) enterField(cellsOf(next)[0]);
    }

    /* The echo. */

    function changed() {
      draft.keep();
      askEcho();
    }

    function askEcho() {
      number += 1;
      repairs.end();
      htmx.trigger(form, "changed-draft");
    }

    function place(answer) {
      rowList().forEach((row, index) => {
        const echoed = answer.querySelector("tbody").children[index];
        if (!echoed) return;
        if (row.className !== echoed.className) row.className = echoed.className;
        const labels = [...echoed.querySelectorAll(".typed .pairing")];
        row.querySelectorAll(".typed .field").forEach((field, at) => {
          field.querySelector(".pairing").textContent = labels[at]?.textContent ?? "";
          field.querySelector("input").toggleAttribute("aria-invalid", labels[at]?.hasAttribute("data-refused") ?? false);
        });
        replaceAll(row.querySelectorAll(":scope > td:not(.typed)"), echoed.querySelectorAll(":scope > td:not(.typed)"), row);
      });
      const table = byId("sheet");
      replaceAll([table.tHead], [answer.querySelector("thead")], table);
      replaceAll([table.tFoot], [answer.querySelector("tfoot")], table);
      for (const part of answer.querySelectorAll("[data-part]")) {
        for (const slot of document.querySelectorAll(`[data-slot="${part.dataset.part}"]`)) {
          if (slot.innerHTML !== part.innerHTML) slot.innerHTML = part.innerHTML;
        }
      }
      for (const field of ["differs", "correction", "ended"]) {
        for (const block of document.querySelectorAll(`[data-show="${field}"]`)) block.hidden = !answer.dataset[field];
      }
      byId("save").textContent = answer.dataset.correction ? says.saveCorrection : says.save;
      if (answer.dataset.differs) repairs.begin(number);
      else repairs.clear();
    }

    function replaceAll(olds, news, parent) {
      // Unchanged parts are left alone, so that screen readers do not repeat them.
      [...news].forEach((one, index) => {
        if (!olds[index]) parent.append(one);
        else if (olds[index].outerHTML !== one.outerHTML) olds[index].replaceWith(one);
      });
      [...olds].slice(news.length).forEach((one) => one.remove());
    }

    /* Status messages. */

    function say(sentence, isTrouble = false) {
      const said = byId("said");
      said.textContent = sentence;
      said.classList.toggle("trouble", isTrouble);
    }

    function point(answer) {
      const row = rowList()[(answer.rows?.[0] ?? 0) - 1];
      const field = { net: "net", boxes: "boxes", lines: "lines-count", reason: "reason", signed: "signed" }[answer.field];
      if (row) enterField(cellsOf(row)[0]);
      else if (field) byId(field)?.focus();
    }

    function save() {
      if (byId("reason").checkVisibility() && !byId("reason").value.trim()) {
        draft.keep();
        say(says.reason, true);
        byId("reason").focus();
      } else {
        draft.save();
      }
    }

    function tellKept() {
      const count = rowList().filter((row, index) => !isBlank(row) && rowTexts(row) !== (data.draft.rows[index] ?? []).join("\n").trim()).length;
      let text = "";
      if (draft.isOnItsWay || draft.isTouched) text = count ? `${count} ${count === 1 ? says.row : says.rows}` : says.figures;
      byId("kept").textContent = text;
    }

    function rowTexts(row) {
      return cellsOf(row).map((cell) => cell.value.trim()).join("\n").trim();
    }

    /* Events. */

    function listen() {
      form.addEventListener("input", (event) => {
        if (event.target.id === "lines") {
          draft.value.lines = event.target.checked;
          for (const row of rowList()) {
            const texts = cellsOf(row).map((cell) => cell.value);
            while (texts.length > 1 && !texts.at(-1).trim()) texts.pop();
            fill(row, texts);
          }
        }
        changed();
      });
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        save();
      });
      form.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (!button) return;
        if (button.hasAttribute("data-repair")) takeRepair(button);
        else if (button.dataset.override) override(button);
        else if (button.hasAttribute("data-drop")) {
          draft.forget();
          location.reload();
        }
      });
      byId("swap").addEventListener("click", swap);
      document.addEventListener("keydown", pageKeys);
      rows.addEventListener("keydown", rowKeys);
      form.addEventListener("keydown", formKeys);
      window.addEventListener("online", () => draft.goOn());
      window.addEventListener("storage", (event) => {
        if (!draft.isStoredUnder(event.key)) return;
        if (document.hasFocus()) say(says.otherTab, true);
        else location.reload();
      });
      form.addEventListener("htmx:configRequest", (event) => {
        event.detail.parameters = { draft: JSON.stringify(draft.snapshot()), number };
        event.detail.headers["X-CSRFToken"] = token();
      });
      form.addEventListener("htmx:beforeSwap", (event) => {
        // Place the echo, unless a newer one is pending.
        event.detail.shouldSwap = false;
        const { xhr } = event.detail;
        if (xhr.status !== 200 || xhr.getResponseHeader("X-Draft") !== String(number)) return;
        const parsed = new DOMParser().parseFromString(xhr.responseText, "text/html");
        const answer = parsed.querySelector(".answer");
        if (answer) {
          place(answer);
          placed = number;
        }
        if (byId("said").dataset.about === "echo") say("");
        byId("said").dataset.about = "";
      });
      for (const trouble of ["htmx:sendError", "htmx:timeout"]) {
        form.addEventListener(trouble, () => {
          say(says.noEcho, true);
          byId("said").dataset.about = "echo";
        });
      }
      form.addEventListener("htmx:responseError", (event) => {
        if (event.detail.xhr.status === 401) say(says.signedOut, true);
        else if (event.detail.xhr.status === 403) say(says.refused, true);
        else say(says.noEcho, true);
        byId("said").dataset.about = "echo";
      });
    }

    function hasEnded() {
      // Typing since the last echo may have reopened the sheet.
      return placed === number && !document.querySelector('[data-show="ended"]').hidden;
    }

    function swap() {
      // Of several the first goes to the end: they sit in a circle.
      draft.value.left = (draft.value.left + 1) % data.sides;
      changed();
    }

    function pageKeys(event) {
      if (event.key === "PageDown") {
        event.preventDefault();
        byId("next").click();
      } else if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        save();
      } else if (event.key === "F2") {
        const repair = form.querySelector("[data-repair]");
        if (repair) { event.preventDefault(); takeRepair(repair); }
      } else if (event.key === "F4") {
        event.preventDefault();
        settleDoubt();
      } else if (event.key === "F6" || (event.key === "~" && !event.target.matches("#reason, #accepted"))) {
        event.preventDefault();
        swap();
      }
    }

    function rowKeys(event) {
      const row = event.target.closest("tr");
      if (!event.target.matches("input.cell") || event.isComposing) return;
      const all = rowList();
      const index = all.indexOf(row);
      const cells = cellsOf(row);
      const at = cells.indexOf(event.target);
      const go = (target) => { event.preventDefault(); event.stopPropagation(); enterField(target); };
      const inRow = (other) => cellsOf(other)[Math.min(at, cellsOf(other).length - 1)];
      if (event.key === "Enter" && !event.ctrlKey) {
        const isLast = index === all.length - 1;
        if (at < cells.length - 1 && !(at === 0 && /^\s*[ltv]/i.test(event.target.value)) && !(isLast && isBlank(row))) go(cells[at + 1]);
        else if (!isLast) go(cellsOf(all[index + 1])[0]);
        else if (isBlank(row) || hasEnded()) go(fields.net);
        else {
          go(cellsOf(addRow(null))[0]);
          changed();
        }
      } else if (event.key === "ArrowUp" && index > 0) {
        go(inRow(all[index - 1]));
      } else if (event.key === "ArrowDown" && index < all.length - 1) {
        go(inRow(all[index + 1]));
      } else if (event.key === "Insert") {
        go(cellsOf(addRow(row))[0]);
        changed();
      } else if (event.key === "Delete" && event.ctrlKey) {
        event.preventDefault();
        strike(row);
      }
    }

    function formKeys(event) {
      // Enter in a field outside the rows moves to the next field, from the last to Save.
      if (event.key !== "Enter" || event.defaultPrevented || !event.target.matches("input") || rows.contains(event.target)) return;
      event.preventDefault();
      if (event.ctrlKey) { save(); return; }
      const isPassed = (one) => !one.checkVisibility() || (one === fields.none && fields.net.value.trim());
      const side = [...form.querySelectorAll(".entry-side input, #save")].filter((one) => !isPassed(one));
      const next = side[side.indexOf(event.target) + 1] ?? byId("save");
      next.focus();
      if (next.select) next.select();
    }
  }
})();
