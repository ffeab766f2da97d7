import { follow } from "#client/follow.ts";
import { CliError, UnreachableError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { HttpClient } from "../service/http-client.ts";
import type { RetryTimer } from "./retry-timer.ts";
import { isFinal, watchEvent } from "./watch-event.ts";
import type { WatchEvent } from "./watch-event.ts";

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
 * Gives the events of a task's or a team's current run from its start to its end, through broken connections.
 * @throws CliError when the service rejects, or stays away for too long; the signal's reason.
 */
export async function* streamEvents(client: HttpClient, options: StreamOptions): AsyncGenerator<WatchEvent> {
  const { path, body, signal, retries } = options;
  const events = follow({
    open: (lastEventId, either) => client.openStream({ path, body, lastEventId, signal: either }),
    parse,
    isFinal,
    retries: {
      regain: () => retries.regain(),
      bear: (error) => retries.bear(error instanceof CliError ? error : brokenConnection(error)),
    },
    signal,
  });
  for await (const { event } of events) yield event;
}

/** The stream of a task. */
export function streamOfTask(agentId: string, taskId: string): StreamSource {
  return { path: `/ag-ui/${encodeURIComponent(agentId)}/sse`, body: { threadId: taskId } };
}

/** The stream of a team's run. */
export function streamOfRun(runId: string): StreamSource {
  return { path: `/ag-ui/runs/${encodeURIComponent(runId)}/sse`, body: {} };
}

function parse(data: string): WatchEvent {
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
