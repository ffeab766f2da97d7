const KEY = "muster.reloaded-at";
const ONCE_MS = 60_000;

/** Reloads the page, once, when a part of it is missing because a newer version has replaced it. */
export function reloadOnceForMissingChunk(): void {
  window.addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < ONCE_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
