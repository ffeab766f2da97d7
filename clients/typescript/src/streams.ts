import { follow } from "./follow.ts";
import type { Identified, Retries } from "./follow.ts";
import { MusterError } from "./muster-error.ts";
import type { Connection } from "./operation.ts";
import { pause } from "./pause.ts";
import { readChunks } from "./read-chunks.ts";
import type { components } from "./gen/schema.ts";
import { unreachable } from "./transport.ts";

/** Pauses before each try, in milliseconds: a restart of the service takes a few seconds, an outage ends the retries. */
const PAUSES_MS = [200, 400, 800, 1_500, 3_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000] as const;
/** The types of event that end a run. */
const FINAL: ReadonlySet<string> = new Set(["RUN_FINISHED", "RUN_ERROR"]);

/** An event of a run, as in AG-UI. */
export type StreamEvent = components["schemas"]["StreamEvent"];

/** The options of a stream. */
export interface StreamOptions {
  /** Continue after this event; absent: from the start of the attempt. */
  readonly lastEventId?: string;
  /** An earlier attempt; absent: the current one. */
  readonly attempt?: number;
  /** Aborts the stream, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called at the first of several failures in a row. */
  readonly onReconnect?: (failure: MusterError) => void;
}

/** An event with its id, after which a stream can continue. */
export type StreamedEvent = Identified<StreamEvent>;

/** Yields the events of a task until its run ends, across broken connections and restarts of the service. */
export const streamTask =
  (connection: Connection) =>
  (task: { agentId: string; taskId: string }, options?: StreamOptions): AsyncGenerator<StreamedEvent> =>
    stream(connection, `/ag-ui/${encodeURIComponent(task.agentId)}/sse`, { body: { threadId: task.taskId }, options });

/** Yields the events of a team run in the same way. */
export const streamTeamRun =
  (connection: Connection) =>
  (run: { runId: string }, options?: StreamOptions): AsyncGenerator<StreamedEvent> =>
    stream(connection, `/ag-ui/runs/${encodeURIComponent(run.runId)}/sse`, { options });

function stream(
  { transport, options: { url } }: Connection,
  path: string,
  { body, options = {} }: { readonly body?: object; readonly options?: StreamOptions | undefined },
): AsyncGenerator<StreamedEvent> {
  const { lastEventId, attempt, signal } = options;
  return follow<StreamEvent>({
    async open(lastSeen, either) {
      const resumed: Record<string, string> = lastSeen === undefined ? {} : { "Last-Event-ID": lastSeen };
      const headers = { Accept: "text/event-stream", ...resumed };
      const response = await transport.open({ method: "POST", path, body: { ...body, attempt }, headers }, either);
      return response.status === 204 || response.body === null ? undefined : readChunks(response.body);
    },
    parse,
    isFinal: ({ type }) => FINAL.has(type),
    retries: createRetries(url, options),
    lastEventId,
    signal,
  });
}

function parse(data: string): StreamEvent {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new MusterError("The service sent an event that is not JSON.", { code: "invalid_response", cause });
  }
}

function createRetries(url: string, { signal, onReconnect }: StreamOptions): Retries {
  let failures = 0;
  return {
    reset() {
      failures = 0;
    },
    async wait(error) {
      const failure = error instanceof MusterError ? error : unreachable(url, error);
      const ms = PAUSES_MS[failures];
      if (ms === undefined || !failure.isTransient) throw failure;
      if (failures++ === 0) onReconnect?.(failure);
      await pause(Math.max(ms, failure.retryAfterMs ?? 0), signal);
    },
  };
}
