import { useSyncExternalStore } from "react";
import { tokenInFragment } from "./auth.ts";

/** The token of the page's link. Another link that is opened in the same tab changes the fragment alone. */
export function useFragmentToken(): string {
  return useSyncExternalStore(onFragment, tokenInFragment);
}

function onFragment(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
