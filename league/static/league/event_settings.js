/* The settings of an event: shows those of its format, and uses the format's usual order of the table until somebody
   changes it. Without this script all settings are shown. */
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

  const format = document.getElementById("id_format");
  const orders = JSON.parse(format?.dataset.orders ?? "{}");
  const places = [...document.querySelectorAll(".criteria select")];
  const chosen = () => places.map((place) => place.value).filter(Boolean).join();
  const order = () => {
    if (!orders[format?.value] || !Object.values(orders).some((usual) => usual.join() === chosen())) return;
    places.forEach((place, index) => (place.value = orders[format.value][index] ?? ""));
    document.querySelector("[name=criteria_offered]").value = format.value;
  };

  for (const chooser of choosers) chooser.addEventListener("change", show);
  format?.addEventListener("change", order);
  show();
});
