import { CliError, UnreachableError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { HttpClient } from "../service/http-client.ts";
import { readSse } from "../service/sse-reader.ts";
import type { RetryTimer } from "./retry-timer.ts";
import { isFinal, watchEvent } from "./watch-event.ts";
import type { WatchEvent } from "./watch-event.ts";

/** The service writes a comment every 15 s; a connection that is silent for so long is dead, in milliseconds. */
const SILENCE_MS = 45_000;

/** Which stream of the service to follow. */
export interface StreamSource {
  readonly path: string;
  readonly body: object;
}

/** How to follow it. */
export interface StreamOptions extends StreamSource {
  readonly signal: AbortSignal;
  readonly retries: RetryTimer;
}

/**
 * Gives the events of a task's or a team's current run from its start to its end. A broken connection is
 * made again behind the last event that was seen, so that none is lost or given twice.
 * @throws CliError when the service rejects, or stays away for too long; the signal's reason.
 */
export async function* streamEvents(client: HttpClient, options: StreamOptions): AsyncGenerator<WatchEvent> {
  let lastEventId: string | undefined;
  for (;;) {
    try {
      for await (const { id, data } of readSse(connect(client, options, lastEventId))) {
        const event = parseEvent(data);
        options.retries.regain();
        if (id !== "") lastEventId = id;
        yield event;
        if (isFinal(event)) return;
      }
      throw new UnreachableError("The service closed the stream before the run had ended.");
    } catch (error) {
      await options.retries.bear(error instanceof CliError ? error : brokenConnection(error));
    }
  }
}

/** The stream of a task. */
export function streamOfTask(agentId: string, taskId: string): StreamSource {
  return { path: `/ag-ui/${encodeURIComponent(agentId)}/sse`, body: { threadId: taskId } };
}

/** The stream of a team's run. */
export function streamOfRun(runId: string): StreamSource {
  return { path: `/ag-ui/runs/${encodeURIComponent(runId)}/sse`, body: {} };
}

/** The bytes of one connection; it breaks when nothing comes for too long. */
async function* connect(
  client: HttpClient,
  { path, body, signal, retries }: StreamOptions,
  lastEventId: string | undefined,
): AsyncGenerator<Uint8Array> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("nothing came for too long")), SILENCE_MS);
  const either = AbortSignal.any([signal, silence.signal]);
  let greeted = false;
  try {
    for await (const bytes of await client.openStream({ path, body, lastEventId, signal: either })) {
      timer.refresh();
      // An agent may think for long: a heartbeat behind the greeting shows that the connection works.
      if (greeted) retries.regain();
      greeted = true;
      yield bytes;
    }
  } finally {
    clearTimeout(timer);
  }
}

function parseEvent(data: string): WatchEvent {
  try {
    return watchEvent.parse(JSON.parse(data));
  } catch (cause) {
    throw new CliError(EXIT.unreachable, "The service sent an event that this client does not understand.", { cause });
  }
}

function brokenConnection(cause: unknown): UnreachableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnreachableError(`The connection to the service broke (${reason}) and could not be made again.`, {
    cause,
  });
}
