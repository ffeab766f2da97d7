// Shows a person the questions that wait for them. It keeps nothing, and answers no request of a page.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { type, tag, title, body, path } = event.data.json();
  event.waitUntil(
    type === "closed"
      ? close(tag)
      : self.registration.showNotification(title, { body, tag, icon: "/icon-192.png", data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

async function close(tag) {
  for (const shown of await self.registration.getNotifications({ tag })) shown.close();
}

async function open(path) {
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find(({ url }) => new URL(url).pathname === path);
  return page === undefined ? self.clients.openWindow(path) : page.focus();
}
