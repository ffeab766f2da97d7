import { useSyncExternalStore } from "react";

/** How high the rows of lists are. */
export const DENSITIES = ["comfortable", "compact"] as const;

/** One of {@link DENSITIES}. */
export type Density = (typeof DENSITIES)[number];

const KEY = "muster.density";
const listeners = new Set<() => void>();

/** What this browser has chosen. `theme-first.js` applies it before the first paint. */
export function chosenDensity(): Density {
  return document.documentElement.dataset["density"] === "compact" ? "compact" : "comfortable";
}

/** Applies a density now and in later visits; the height of a row in `base.css` follows. */
export function chooseDensity(density: Density): void {
  localStorage.setItem(KEY, density);
  if (density === "compact") document.documentElement.dataset["density"] = density;
  else delete document.documentElement.dataset["density"];
  for (const listener of listeners) listener();
}

/** The density, drawn again when it changes. */
export function useDensity(): Density {
  return useSyncExternalStore(subscribe, chosenDensity);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
