import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefCallback } from "react";

const FIRST = "[cmdk-item]:not([aria-disabled=true])";
const MOVES = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

/** What a list of commands needs to keep its first row selected until the person moves the selection. */
interface FirstSelected {
  readonly listRef: RefCallback<HTMLElement>;
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  /** Another text begins at its first row again. */
  readonly onText: () => void;
  readonly onKey: (key: string) => void;
  readonly onPointerMove: () => void;
}

/** Keeps the first row selected while rows are still coming from the server, so that Enter does what is first. */
export function useFirstSelected(): FirstSelected {
  const [value, setValue] = useState("");
  const hasMoved = useRef(false);
  const [list, listRef] = useState<HTMLElement | null>(null);
  const selectFirst = useEffectEvent(() => {
    const first = list?.querySelector(FIRST)?.getAttribute("data-value");
    if (!hasMoved.current && first != null) setValue(first);
  });
  useEffect(() => {
    if (list === null) return;
    const observer = new MutationObserver(() => selectFirst());
    observer.observe(list, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [list]);
  return {
    listRef,
    value,
    onValueChange: (next) => {
      if (hasMoved.current) setValue(next);
    },
    onText: () => {
      hasMoved.current = false;
    },
    onKey: (key) => {
      hasMoved.current ||= MOVES.has(key);
    },
    onPointerMove: () => {
      hasMoved.current = true;
    },
  };
}
