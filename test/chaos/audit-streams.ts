import { isDeepStrictEqual } from "node:util";
import { withTimestampInSeconds } from "#domain/streams/stream-event.ts";
import { expectWholeStreamWithQuestions } from "../support/interactions.ts";
import type { TestService } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import type { ReceivedEvent } from "../support/sse-client.ts";
import { sql } from "../support/workspace.ts";
import type { DoneJob } from "./job.ts";

const LOG = `
  select seq as id, seq::text as "sseId", event::text as text, event, key from task_log where log_id = $1 order by seq`;

interface LoggedRow extends ReceivedEvent {
  /** Under what name it was appended, if it has one and is not packed. */
  readonly key: string | null;
}

/** Says which readers got anything else than the log, and which logs are no whole streams. */
export async function auditStreams(service: TestService, jobs: readonly DoneJob[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { order, stream, received } of jobs) {
    const log = await sql<LoggedRow & Record<string, unknown>>(service.databaseUrl, LOG, [stream.taskId]);
    const sent = log.map((row) => ({ ...row, text: withTimestampInSeconds(row.text) }));
    const replay = await readToEnd(service, stream);
    const name = `${order.title} (${stream.taskId})`;
    for (const events of [...received, replay]) {
      if (!isDeepStrictEqual(events.map(asSent), sent.map(asSent))) found.push(`${name}: ${difference(events, sent)}`);
    }
    // Cancelled before it began.
    if (log.length === 1 && log[0]?.event["code"] === "CANCELLED") continue;
    await expectWholeStreamWithQuestions(log).catch((error: unknown) => {
      found.push(`${name}: ${String(error)}\n    ${log.map(asLine).join("\n    ")}`);
    });
  }
  return found;
}

function asLine({ id, text, key }: LoggedRow): string {
  return `${id} ${key === null ? "" : `[${key}] `}${text}`;
}

function asSent({ sseId, text }: ReceivedEvent): readonly [string, string] {
  return [sseId, text];
}

function difference(events: readonly ReceivedEvent[], log: readonly ReceivedEvent[]): string {
  const place = log.findIndex((event, index) => events[index]?.text !== event.text || events[index]?.id !== event.id);
  const got = events[place];
  return `a reader got ${events.length} events of ${log.length}; at ${place} it got ${got?.id} ${got?.text ?? ""} for ${log[place]?.text ?? ""}`;
}
