/* The settings of an event: those of its format are shown. Without this file all of them are. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const choosers = ["format", "kind"].map((name) => document.getElementById(`id_${name}`)).filter(Boolean);
  const settings = [...document.querySelectorAll("[data-formats], [data-kinds]")];
  if (!choosers.length || !settings.length) return;
  const rows = new Set(settings.map((field) => field.closest(".form-row")));
  const sections = new Set(settings.map((field) => field.closest("fieldset.module")));

  const belongs = (field) =>
    choosers.every((chooser) => {
      const wanted = field.closest(`[data-${chooser.name}s]`)?.dataset[`${chooser.name}s`];
      return wanted === undefined || wanted.split(" ").includes(chooser.value);
    });

  const show = () => {
    for (const row of rows) {
      const wanted = row.querySelector(".errorlist") || settings.some((field) => row.contains(field) && belongs(field));
      row.hidden = !wanted;
    }
    for (const section of sections) section.hidden = !section.querySelector(".form-row:not([hidden])");
  };

  for (const chooser of choosers) chooser.addEventListener("change", show);
  show();
});
