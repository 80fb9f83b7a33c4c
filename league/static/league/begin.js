// The browser knows in which time zone it is; a choice that was made stays.
const zones = document.querySelector("[data-own-zone]");
if (zones && !zones.value) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zones.options].some((option) => option.value === own)) zones.value = own;
}
