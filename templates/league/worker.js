"use strict";
/* Shows what is pushed, and opens what it is about. Where there is no connection it shows a page that says so: no other
   page is kept. The pages of a table have a worker and a cache of their own, which this one leaves alone. */

const OF_MINE = "gin-offline-";
const KEPT = `${OF_MINE}{{ version }}`;
const OFFLINE = "{{ offline }}";
const FILES = [{% for file in files %}"{{ file }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keep());
});

addEventListener("activate", (event) => event.waitUntil(tidy()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(freshOrOffline(event));
  else if (FILES.includes(url.pathname)) event.respondWith(freshOrKept(request, url.pathname));
});

addEventListener("push", (event) => event.waitUntil(show(event.data)));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

async function keep() {
  const kept = await caches.open(KEPT);
  await kept.addAll([OFFLINE, ...FILES].map((path) => new Request(path, { cache: "reload" })));
}

async function tidy() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OF_MINE) && name !== KEPT);
  await Promise.all(names.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
}

async function freshOrOffline(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const found = await caches.match(OFFLINE, { cacheName: KEPT });
    if (found) return found;
    throw error;
  }
}

async function freshOrKept(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(path, { cacheName: KEPT });
    if (found) return found;
    throw error;
  }
}

async function show(data) {
  const { title, body, path, tag } = data.json();
  await registration.showNotification(title, { body, tag, icon: "{{ icon }}", data: { path } });
}

async function open(path) {
  const url = new URL(path, location.origin);
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((each) => each.url === url.href);
  if (there) await there.focus();
  else await clients.openWindow(url.href);
}
