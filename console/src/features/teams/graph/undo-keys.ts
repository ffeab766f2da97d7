import { useEffect, useRef } from "react";

interface UndoKeys {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Ctrl+Z and Ctrl+Shift+Z (⌘) while the component is mounted. In a field they are the browser's own; in a dialog off. */
export function useUndoKeys(keys: UndoKeys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const isUndoKey = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z";
      if (!isUndoKey || event.defaultPrevented || isElsewhere(event.target)) return;
      event.preventDefault();
      const { undo, redo } = current.current;
      if (event.shiftKey) redo();
      else undo();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog], [role=menu]") !== null) return true;
  return target instanceof Element && target.closest("textarea, input:not([type=checkbox])") !== null;
}
