import { createParser } from "eventsource-parser";
import { authorizedFetch } from "./client.ts";
import { fetchJson } from "./fetch-json.ts";
import type { components } from "./paths.gen.ts";
import { asProblem } from "./problem.ts";

/** An event of a run that is followed. */
export interface RunEvent {
  readonly run: string;
  readonly seq: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a page does with the events of a run. */
export interface RunStreamHandlers {
  readonly onEvent: (event: RunEvent) => void;
  readonly onConnection: (isConnected: boolean) => void;
}

/** Where the events of a task or a team run are. */
interface Address {
  readonly path: string;
  readonly body: object;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** Twice the server's heartbeat, and a little. */
const SILENCE_MS = 35_000;
const LAST_TYPES = new Set(["RUN_FINISHED", "RUN_ERROR"]);

/**
 * Gives out the events of a run, from the first one of its current attempt to its end. After a broken connection it
 * goes on after the last one, so that none is lost or doubled.
 */
export async function followRun(run: string, handlers: RunStreamHandlers, signal: AbortSignal): Promise<void> {
  let seq = 0;
  let retryMs = FIRST_RETRY_MS;
  let isOver = false;
  const onEvent = (event: RunEvent) => {
    if (event.seq <= seq) return;
    seq = event.seq;
    retryMs = FIRST_RETRY_MS;
    isOver = LAST_TYPES.has(event.type);
    handlers.onEvent(event);
  };
  while (!signal.aborted && !isOver) {
    const isOpen = await stream(run, seq, { ...handlers, onEvent }, signal).catch(() => false);
    if (signal.aborted || isOver) return;
    handlers.onConnection(false);
    retryMs = isOpen ? FIRST_RETRY_MS : Math.min(retryMs * 2, MAX_RETRY_MS);
    await pause(retryMs * (0.75 + Math.random() / 2), signal);
  }
}

/** @returns whether it was connected at all */
async function stream(run: string, seq: number, handlers: RunStreamHandlers, signal: AbortSignal): Promise<boolean> {
  const address = await addressOf(run);
  // A task that has not started has no events.
  if (address === undefined) return false;
  const silence = new AbortController();
  const request = new Request(new URL(address.path, location.origin), {
    method: "POST",
    body: JSON.stringify(address.body),
    headers: { "Content-Type": "application/json", ...(seq > 0 && { "Last-Event-ID": String(seq) }) },
    signal: AbortSignal.any([signal, silence.signal]),
  });
  const response = await authorizedFetch(request);
  if (!response.ok || response.body === null) return false;
  handlers.onConnection(true);
  const parser = createParser({
    onEvent({ id, data }) {
      const event: unknown = JSON.parse(data);
      if (isEvent(event)) handlers.onEvent({ ...event, run, seq: Number(id) });
    },
  });
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

async function addressOf(id: string): Promise<Address | undefined> {
  try {
    const task = await fetchJson<components["schemas"]["Task"]>(`/functions/v1/api-tasks?id=${id}`);
    if (task.team_run_id !== null) return { path: `/ag-ui/runs/${task.team_run_id}/sse`, body: {} };
    const agent = task.assigned_agent_id;
    return agent === null ? undefined : { path: `/ag-ui/${agent}/sse`, body: { threadId: id } };
  } catch (error) {
    if (asProblem(error).status !== 404) throw error;
    return { path: `/ag-ui/runs/${id}/sse`, body: {} };
  }
}

function isEvent(value: unknown): value is { readonly type: string } {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
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
