import { useRouter } from "@tanstack/react-router";
import type { RegisteredRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { startsAtTop } from "../../lib/starts-at-top.ts";
import type { ShownLocation } from "../../lib/starts-at-top.ts";

/** Scrolls the content to its top after a navigation to another screen or list; the router alone keeps its place. */
export function useStartAtTop(): void {
  const router = useRouter();
  useEffect(() => startAtTop(router), [router]);
}

function startAtTop(router: RegisteredRouter): () => void {
  let shown: ShownLocation = router.latestLocation;
  router.options.scrollToTopSelectors = [
    () => (startsAtTop(shown, router.latestLocation) ? document.querySelector("#content") : null),
  ];
  // After the router's own listener, which scrolls.
  return router.subscribe("onRendered", ({ toLocation }) => {
    const isOther = shown.pathname !== toLocation.pathname;
    shown = toLocation;
    // What had the focus went with its screen: the keys for scrolling, and the next Tab, belong to the content.
    if (isOther && document.activeElement === document.body) {
      document.getElementById("content")?.focus({ preventScroll: true });
    }
  });
}
