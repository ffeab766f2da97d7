import { useCallback, useEffect, useRef, useState } from "react";
import type { RunEvent } from "../../api/run-stream.ts";
import { useRunEvents } from "../live/live-context.tsx";
import { EMPTY_TRANSCRIPT, addEvents } from "./transcript.ts";
import type { Transcript } from "./transcript.ts";

/** Words are drawn ten times a second at most, however fast they come. */
const FLUSH_MS = 100;

/** What happens in a run, from its first event on, as it happens. The component is created again for another run. */
export function useTranscript(run: string): Transcript {
  const [transcript, setTranscript] = useState(EMPTY_TRANSCRIPT);
  const waiting = useRef<RunEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const add = useCallback((event: RunEvent) => {
    waiting.current.push(event);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const events = waiting.current.splice(0);
      setTranscript((before) => addEvents(before, events));
    }, FLUSH_MS);
  }, []);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  useRunEvents(run, true, add);
  return transcript;
}
