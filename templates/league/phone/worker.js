{% load static %}"use strict";
/* Has a table's page open without a network: what came last is kept, and shown where nothing comes. It keeps pages
   and their files alone; what is entered is the page's own affair. */

const KEPT = "gin-table-1";
const FILES = [{% for file in files %}"{% static file %}"{% if not forloop.last %}, {% endif %}{% endfor %}];
const PAGE = /^\/table\/[-\w]+\/\d\/$/;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (FILES.includes(url.pathname) || (request.mode === "navigate" && PAGE.test(url.pathname))) {
    event.respondWith(freshOrKept(request, url.pathname));
  }
});

async function freshOrKept(request, path) {
  const kept = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && !fresh.redirected) await kept.put(path, fresh.clone());
    else if (fresh.status === 404) await kept.delete(path);
    return fresh;
  } catch (error) {
    const found = await kept.match(path);
    if (found) return found;
    throw error;
  }
}
