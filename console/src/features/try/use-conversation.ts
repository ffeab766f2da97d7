import { useCallback, useEffect, useRef, useState } from "react";
import type { RunEvent } from "../../api/live-stream.ts";
import { useRunEvents } from "../live/live-context.tsx";
import { EMPTY_TRANSCRIPT, addEvents } from "../run/log/transcript.ts";
import type { Transcript } from "../run/log/transcript.ts";

const FLUSH_MS = 100;
const NONE: ReadonlyMap<number, Transcript> = new Map();

/**
 * The replies of an agent in a conversation as they grow, by the attempts of its task. Those whose events are no longer
 * stored are missing.
 * @param isStarted false until the first message is sent: there is no task to follow yet
 */
export function useConversation(thread: string, isStarted: boolean): ReadonlyMap<number, Transcript> {
  const [replies, setReplies] = useState(NONE);
  const waiting = useRef<RunEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useCallback(() => {
    timer.current = undefined;
    const events = waiting.current.splice(0);
    setReplies((before) => events.reduce(addEvent, before));
  }, []);
  useRunEvents(thread, isStarted, (event) => {
    waiting.current.push(event);
    timer.current ??= setTimeout(flush, FLUSH_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return replies;
}

function addEvent(replies: ReadonlyMap<number, Transcript>, event: RunEvent): ReadonlyMap<number, Transcript> {
  const attempt = event.type === "RUN_STARTED" ? attemptOf(event["runId"]) : Math.max(1, ...replies.keys());
  return new Map(replies).set(attempt, addEvents(replies.get(attempt) ?? EMPTY_TRANSCRIPT, [event]));
}

/** The id of an attempt's run is the task's, with the attempt's number behind it from the second on. */
function attemptOf(runId: unknown): number {
  const number = typeof runId === "string" ? /\.(\d+)$/.exec(runId)?.[1] : undefined;
  return Number(number ?? 1);
}
