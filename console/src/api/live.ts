import { createParser } from "eventsource-parser";
import { authorizedFetch } from "./client.ts";

/** What has changed, for lists: fetch again what shows it. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly status?: string;
  readonly updated_at?: string;
}

/** An event of a run that is followed. */
export interface RunEvent {
  readonly run: string;
  readonly seq: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a page does with the stream. */
export interface LiveHandlers {
  readonly onHello: (build: string | undefined) => void;
  readonly onChange: (changes: readonly Change[]) => void;
  readonly onEvent: (event: RunEvent) => void;
  /** Changes may have been missed: everything that is shown is fetched again. */
  readonly onResync: () => void;
  readonly onConnection: (isConnected: boolean) => void;
}

/** The runs whose events are wanted, each with the last sequence number that the page has. */
export type Follow = ReadonlyMap<string, number>;

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** Twice the server's heartbeat, and a little. */
const SILENCE_MS = 35_000;

/**
 * Keeps one stream of news open until the signal fires: connects again after a break, with growing pauses, and asks
 * for what came after the last event that it has given out.
 */
export async function openLive(
  follow: Map<string, number>,
  handlers: LiveHandlers,
  signal: AbortSignal,
): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    const isOpen = await stream(follow, handlers, signal).catch(() => false);
    if (signal.aborted) return;
    handlers.onConnection(false);
    retryMs = isOpen ? FIRST_RETRY_MS : Math.min(retryMs * 2, MAX_RETRY_MS);
    await pause(retryMs * (0.75 + Math.random() / 2), signal);
    if (isOpen) handlers.onResync();
  }
}

/** @returns whether it was connected at all */
async function stream(follow: Map<string, number>, handlers: LiveHandlers, signal: AbortSignal): Promise<boolean> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  const response = await authorizedFetch(new Request(urlOf(follow), { signal: either }));
  if (!response.ok || response.body === null) return false;
  handlers.onConnection(true);
  const parser = createParser({ onEvent: ({ event, data }) => dispatch(follow, handlers, { event, data }) });
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.feed(value);
    }
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}

function urlOf(follow: Follow): URL {
  const url = new URL("/console/api/live", location.origin);
  for (const [run, seq] of follow) url.searchParams.append("follow", `${run}@${seq}`);
  return url;
}

function dispatch(follow: Map<string, number>, handlers: LiveHandlers, frame: { event?: string; data: string }): void {
  const data: unknown = JSON.parse(frame.data);
  if (frame.event === "hello") return handlers.onHello(isHello(data) ? data.build : undefined);
  if (frame.event === "resync") return handlers.onResync();
  if (frame.event === "changed") {
    if (isChange(data)) handlers.onChange([data]);
    else if (Array.isArray(data)) handlers.onChange(data.filter(isChange));
    return;
  }
  if (!isRunEvent(data)) return;
  // After a break the server may send what was here already.
  if (data.seq <= (follow.get(data.run) ?? -1)) return;
  follow.set(data.run, data.seq);
  handlers.onEvent(data);
}

function isHello(value: unknown): value is { readonly build?: string } {
  return typeof value === "object" && value !== null;
}

function isChange(value: unknown): value is Change {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value;
}

function isRunEvent(value: unknown): value is RunEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    "run" in value &&
    typeof value.run === "string" &&
    "seq" in value &&
    typeof value.seq === "number"
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
