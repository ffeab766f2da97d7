import { useCallback, useEffect, useRef, useState } from "react";
import type { RunEvent } from "../../../api/live-stream.ts";
import { useRunEvents } from "../../live/live-context.tsx";
import { EMPTY_TRANSCRIPT, addEvents } from "../../run/log/transcript.ts";
import type { Transcript } from "../../run/log/transcript.ts";

const FLUSH_MS = 100;

/**
 * The answers of an agent in a conversation, one for each message, as they grow; each is an attempt of one task.
 * @param isStarted false until the first message is sent: there is no task to follow yet
 */
export function useConversation(thread: string, isStarted: boolean): readonly Transcript[] {
  const [answers, setAnswers] = useState<readonly Transcript[]>([]);
  const waiting = useRef<RunEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useCallback(() => {
    timer.current = undefined;
    const events = waiting.current.splice(0);
    setAnswers((before) => events.reduce(addEvent, before));
  }, []);
  useRunEvents(thread, isStarted, (event) => {
    waiting.current.push(event);
    timer.current ??= setTimeout(flush, FLUSH_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return answers;
}

function addEvent(answers: readonly Transcript[], event: RunEvent): readonly Transcript[] {
  const last = answers.at(-1);
  // A run that another process continues has not ended: it is the same answer.
  if (last === undefined || (event.type === "RUN_STARTED" && last.isOver)) {
    return [...answers, addEvents(EMPTY_TRANSCRIPT, [event])];
  }
  return [...answers.slice(0, -1), addEvents(last, [event])];
}
