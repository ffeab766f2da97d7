import { useEffect, useState } from "react";

const TYPING_MS = 150;

/** A text once typing has paused, such as what is searched for at the server. */
export function useSettled(text: string, pauseMs = TYPING_MS): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}
