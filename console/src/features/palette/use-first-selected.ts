import { useCallback, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";

const FIRST = "[cmdk-item]:not([aria-disabled=true])";
const MOVES = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

/** What a list of commands needs to keep its first row selected until the person moves the selection. */
interface FirstSelected {
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  readonly onKey: (key: string) => void;
  readonly onPointerMove: () => void;
}

/**
 * Keeps the first row selected while rows are still coming from the server, so that Enter does what is first.
 * @param text what is searched for: another text begins at its first row again
 */
export function useFirstSelected(text: string): FirstSelected {
  const [value, setValue] = useState("");
  const listRef = useRef<HTMLDivElement>(null);
  const hasMoved = useRef(false);
  const selectFirst = useCallback(() => {
    const first = listRef.current?.querySelector(FIRST)?.getAttribute("data-value");
    if (!hasMoved.current && first != null) setValue(first);
  }, []);
  useEffect(() => {
    hasMoved.current = false;
    selectFirst();
    const observer = new MutationObserver(selectFirst);
    if (listRef.current !== null) observer.observe(listRef.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [text, selectFirst]);
  return {
    listRef,
    value,
    onValueChange: (next) => (hasMoved.current ? setValue(next) : selectFirst()),
    onKey: (key) => {
      hasMoved.current ||= MOVES.has(key);
    },
    onPointerMove: () => {
      hasMoved.current = true;
    },
  };
}
