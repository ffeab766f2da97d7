import { z } from "zod";
import { AppError, orNotFound } from "#domain/errors.ts";
import {
  STREAM_TOKEN_PURPOSE,
  STREAM_TOKEN_SECONDS,
  readStreamToken,
  signStreamToken,
} from "#domain/access/stream-token.ts";
import type { StreamReach } from "#domain/access/stream-token.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { findStreamSubject } from "#db/queries/streams/stream-subject.ts";
import { newId } from "#lib/ids.ts";
import { asThreadKey } from "#protocols/ag-ui/run-input.ts";
import type { Workspace } from "../workspace.ts";

/** The body of POST /console/api/agents/{id}/stream-token. */
export const conversationInput = z.strictObject({
  thread_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The conversation that it is for; absent: a new one. Never take it from a page unchecked."),
});

/** A stream token as the API shows it. */
export const streamTokenRecord = z
  .strictObject({
    token: z.string().describe("For Authorization: Bearer, at the paths below only."),
    expires_at: z.iso.datetime().describe("In 15 minutes. Streams that are open then go on."),
    path: z.string().describe("Follows the run: POST."),
    thread_id: z.string().nullable().describe("The conversation to send as threadId; null for a team run."),
  })
  .meta({ id: "StreamToken" });

/** See {@link streamTokenRecord}. */
export type ShownStreamToken = z.output<typeof streamTokenRecord>;

/**
 * Makes a token for one conversation with an agent: a page without a key can send messages, follow their runs and answer
 * their questions. It has the rights of the caller's key, and ends with it.
 * @throws AppError `not_found`; `forbidden` for a signed-in person
 */
export async function createConversationToken(
  workspace: Workspace,
  { agentId, threadId = newId() }: { readonly agentId: string; readonly threadId: string | undefined },
): Promise<ShownStreamToken> {
  orNotFound("Agent")(await readRecord(workspace, "agent", agentId));
  return make(workspace, { agent_id: agentId, thread_id: asThreadKey(threadId), sends: true });
}

/**
 * Makes a token for a task or a team run: a page without a key can follow it and answer its questions.
 * @throws AppError `not_found`; `bad_request` for a team's task; `forbidden` for a signed-in person
 */
export async function createRunToken(workspace: Workspace, id: string): Promise<ShownStreamToken> {
  const { kind, agentId } = orNotFound("Run")(await findStreamSubject(workspace, id));
  if (kind === "team_run") return make(workspace, { run_id: id });
  if (agentId === null) throw new AppError("bad_request", "A team works on this task: name its team run instead.");
  return make(workspace, { agent_id: agentId, thread_id: id, sends: false });
}

/** Reads a stream token of this instance, expired or not; undefined for any other text. */
export function openStreamToken({ secrets }: Pick<Workspace, "secrets">, text: string) {
  return readStreamToken(text, secrets.deriveAll(STREAM_TOKEN_PURPOSE));
}

function make({ who, secrets }: Workspace, reach: StreamReach): ShownStreamToken {
  if (who.keyId === null) {
    throw new AppError(
      "forbidden",
      "Only an API key makes stream tokens: a token has its key's rights, and ends with it.",
    );
  }
  const now = Date.now();
  const isRun = "run_id" in reach;
  return {
    token: signStreamToken(who.keyId, reach, { key: secrets.derive(STREAM_TOKEN_PURPOSE), now }),
    expires_at: new Date(now + STREAM_TOKEN_SECONDS * 1_000).toISOString(),
    path: isRun ? `/ag-ui/runs/${reach.run_id}/sse` : `/ag-ui/${reach.agent_id}/sse`,
    thread_id: isRun ? null : reach.thread_id,
  };
}
