import { z } from "zod";

const event = z.looseObject({ type: z.string(), timestamp: z.number() });

/** An event of a stream as it came: its number, its JSON text, and what that says. */
export interface ReceivedEvent {
  readonly id: number;
  /** The SSE id itself: the number, or for a part of an event `12.0`. */
  readonly sseId: string;
  readonly text: string;
  readonly event: z.output<typeof event>;
}

/** Which stream to read, and how. */
export interface StreamRequest {
  readonly agentId: string;
  /** Sent as `threadId`. */
  readonly taskId: string;
  readonly lastEventId?: number | string;
  readonly runId?: string;
  readonly attempt?: number;
  /** Whether to ask as a standard AG-UI client that has nothing to say. */
  readonly isStandard?: boolean;
}

/** The stream of a team's run. */
export function ofRun(runId: string): StreamRequest {
  return { agentId: `runs/${runId}`, taskId: runId };
}

/** An open stream. It is read continuously, even when no test waits for an event. */
export interface StreamReader {
  readonly response: Response;
  /** All that was received so far, byte for byte. */
  raw(): string;
  /** The events so far. */
  readonly events: readonly ReceivedEvent[];
  /** Waits until this is true of the events so far. @throws Error when the stream is over before. */
  until(holds: (events: readonly ReceivedEvent[]) => boolean): Promise<void>;
  /** Resolves when the stream is over: the service closed it, or it was cut at either end. */
  readonly over: Promise<"closed" | "cut">;
  /** Disconnects, like a client that has lost its network. */
  cut(): Promise<void>;
}

/** The part of a service that a reader needs. */
export interface StreamService {
  readonly url: string;
  readonly keys: { readonly agui: string };
}

/** The status for a reader that has all of a closed log. */
const NOTHING_LEFT = 204;

/** Opens the AG-UI stream of a task. @throws Error when the answer is no stream. */
export async function readStream(service: StreamService, request: StreamRequest): Promise<StreamReader> {
  const { agentId, taskId, lastEventId, runId, attempt, isStandard } = request;
  const leaving = new AbortController();
  const response = await fetch(`${service.url}/ag-ui/${agentId}/sse`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.keys.agui}`,
      "content-type": "application/json",
      ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
    },
    body: JSON.stringify({ threadId: taskId, runId, attempt, ...(isStandard && { messages: [] }) }),
    signal: leaving.signal,
  });
  if (![200, NOTHING_LEFT].includes(response.status)) {
    throw new Error(`The stream was rejected with ${response.status}: ${await response.text()}`);
  }
  const received: { raw: string; rest: string; readonly events: ReceivedEvent[] } = { raw: "", rest: "", events: [] };
  const watchers = new Set<() => void>();
  const over = receive(response.body ?? new ReadableStream({ start: (body) => body.close() }), (text) => {
    received.raw += text;
    const frames = `${received.rest}${text}`.split("\n\n");
    received.rest = frames.pop() ?? "";
    received.events.push(...frames.flatMap(parseFrame));
    for (const look of watchers) look();
  });

  return {
    response,
    raw: () => received.raw,
    events: received.events,
    over,
    async until(holds) {
      const { promise, resolve } = Promise.withResolvers<"held">();
      const look = () => {
        if (holds(received.events)) resolve("held");
      };
      watchers.add(look);
      look();
      const ending = await Promise.race([promise, over]);
      watchers.delete(look);
      if (ending === "held" || holds(received.events)) return;
      throw new Error(`The stream was ${ending} too early, after:\n${received.raw}`);
    },
    async cut() {
      leaving.abort();
      await over;
    },
  };
}

/** Reads a stream until the service closes it. @throws Error when it breaks instead. */
export async function readToEnd(service: StreamService, request: StreamRequest): Promise<readonly ReceivedEvent[]> {
  const reader = await readStream(service, request);
  if ((await reader.over) === "closed") return reader.events;
  throw new Error(`The stream ended after:\n${reader.raw()}`);
}

/** Whether the last event is one that ends a run. */
export function hasEnded(events: readonly ReceivedEvent[]): boolean {
  const last = events.at(-1)?.event.type;
  return last === "RUN_FINISHED" || last === "RUN_ERROR";
}

async function receive(body: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<"closed" | "cut"> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) take(decoder.decode(chunk, { stream: true }));
    return "closed";
  } catch {
    return "cut";
  }
}

/** One frame; comments and frames without data give nothing. */
function parseFrame(frame: string): ReceivedEvent[] {
  const lines = frame.split("\n").filter((line) => !line.startsWith(":"));
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const text = field("data");
  if (text === undefined) return [];
  const sseId = field("id") ?? "";
  return [{ id: Math.trunc(Number(sseId)), sseId, text, event: event.parse(JSON.parse(text)) }];
}

/** The events of a stream that was read to its end as one response. */
export function eventsIn({ text }: { readonly text: string }): Record<string, unknown>[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}
