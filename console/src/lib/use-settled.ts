import { useEffect, useState } from "react";

const TYPING_MS = 150;

/** A text once typing has paused: what is searched for at the server. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
