import { createParser } from "eventsource-parser";
import { authorizedFetch } from "./authorized-fetch.ts";
import { problemOf } from "./problem.ts";

/** Something of the workspace that has changed: what shows it is fetched again. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly status?: string;
}

/** An event of a run that is followed. */
export interface RunEvent {
  readonly run: string;
  readonly seq: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The first message of a stream. */
export interface LiveHello {
  readonly build: string | undefined;
  /** No change since the time that the request named is missing. */
  readonly isComplete: boolean;
}

/** What comes over the stream. */
export interface LiveStreamHandlers {
  /** The stream is open: what changes from now on is announced. */
  readonly onHello: (hello: LiveHello) => void;
  /** Something has come, if only a sign of life. */
  readonly onHeard: () => void;
  readonly onChanges: (changes: readonly Change[]) => void;
  readonly onEvent: (event: RunEvent) => void;
  /** Changes may have been missed. */
  readonly onResync: () => void;
}

/** How a stream ended, or why it did not begin. */
export interface StreamEnd {
  /** A followed run was deleted. */
  readonly isNotFound: boolean;
  /** How long the service asks to wait before the next, in milliseconds. */
  readonly retryAfterMs: number;
}

const BROKEN: StreamEnd = { isNotFound: false, retryAfterMs: 0 };

/** Each followed run, with the number of the last event that the page has. */
export type Positions = ReadonlyMap<string, number>;

/** A little more than twice the server's heartbeat: a connection that is silent for this long is dead. */
const MAX_SILENCE_MS = 35_000;

/** What a stream is to tell first. */
export interface LiveStart {
  readonly positions: Positions;
  /** How long ago the page was up to date, in milliseconds; undefined when that is unknown. */
  readonly sinceMs: number | undefined;
}

/** Reads one connection to the workspace's stream until it ends. */
export async function readLiveStream(
  start: LiveStart,
  handlers: LiveStreamHandlers,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const silence = new AbortController();
  const request = new Request(urlOf(start), { signal: AbortSignal.any([signal, silence.signal]) });
  let timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
  try {
    const response = await authorizedFetch(request);
    if (!response.ok || response.body === null) {
      const { status, retryAfterMs = 0 } = await problemOf(response);
      return { isNotFound: status === 404, retryAfterMs };
    }
    const parser = createParser({ onEvent: ({ event, data }) => dispatch(event, JSON.parse(data), handlers) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return BROKEN;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
      parser.feed(value);
      handlers.onHeard();
    }
  } catch {
    return BROKEN;
  } finally {
    clearTimeout(timer);
  }
}

function urlOf({ positions, sinceMs }: LiveStart): URL {
  const url = new URL("/console/api/live", location.origin);
  if (sinceMs !== undefined) url.searchParams.set("since", String(sinceMs));
  for (const [run, seq] of positions) url.searchParams.append("follow", `${run}@${seq}`);
  return url;
}

function dispatch(name: string | undefined, data: unknown, handlers: LiveStreamHandlers): void {
  switch (name) {
    case "hello":
      return handlers.onHello(helloOf(data));
    case "resync":
      return handlers.onResync();
    case "changed":
      return handlers.onChanges(Array.isArray(data) ? data.filter(isChange) : []);
    default:
      if (isRunEvent(data)) handlers.onEvent(data);
  }
}

function helloOf(data: unknown): LiveHello {
  if (typeof data !== "object" || data === null) return { build: undefined, isComplete: false };
  return {
    build: "build" in data && typeof data.build === "string" ? data.build : undefined,
    isComplete: "complete" in data && data.complete === true,
  };
}

function isChange(value: unknown): value is Change {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value;
}

function isRunEvent(value: unknown): value is RunEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    "run" in value &&
    "seq" in value &&
    typeof value.seq === "number" &&
    "type" in value
  );
}
