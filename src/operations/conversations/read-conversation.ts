import { notFound, orNotFound } from "#domain/errors.ts";
import { turnsOf } from "#domain/tasks/conversation-turns.ts";
import * as rows from "#db/queries/conversations/conversations.ts";
import type { ConversationFacts, ConversationPage } from "#db/queries/conversations/conversations.ts";
import type { PageRequest } from "#db/queries/row-pages.ts";
import { readRunHead } from "#db/queries/runs/run-heads.ts";
import type { RunHeadRow } from "#db/queries/runs/run-heads.ts";
import { readConversation } from "#db/queries/tasks/conversations.ts";
import { attemptsOf, locate } from "../runs/attempts.ts";
import type { AttemptState } from "../runs/attempts.ts";
import type { Workspace } from "../workspace.ts";

/** Lists the conversations that people hold with an agent in the console, newest first. @throws AppError `not_found`. */
export async function listConversations(
  workspace: Workspace,
  page: PageRequest & { readonly agentId: string },
): Promise<ConversationPage> {
  return orNotFound("Agent")(await rows.listConversations(workspace, page));
}

/** Reads a task as a conversation. @throws AppError `not_found`, also for a team run. */
export function readTaskConversation(workspace: Workspace, id: string): Promise<object> {
  return workspace.transaction(async (tx) => {
    const run = await locate(tx, { id });
    const [thread, head, facts] = await Promise.all([
      readConversation(tx, run.id),
      readRunHead(tx, run),
      rows.readConversationFacts(tx, run.id),
    ]);
    if (thread === undefined || head === undefined || facts === undefined) throw notFound("Conversation");
    const attempts = await attemptsOf(tx, run, head);
    return {
      ...recordOf(run.id, head, facts),
      turns: turnsOf(thread).map(({ message, reply, of }) => ({
        message,
        reply,
        run: of && { id: of.runId, attempt: of.attempt },
        ...factsOf(of?.runId === run.id ? attempts.find(({ n }) => n === of.attempt) : undefined, facts, run.newest),
      })),
    };
  });
}

function recordOf(id: string, head: RunHeadRow, { changes, ofVersion }: ConversationFacts) {
  const { title, status, agent, createdBy, createdAt, fork } = head;
  return {
    id,
    title,
    status,
    agent,
    created_by: createdBy,
    created_at: createdAt,
    forked_from: fork,
    changes: changes && {
      version: ofVersion,
      model: changes.model,
      effort: changes.reasoning?.effort,
      temperature: changes.temperature,
      system_prompt: changes.system_prompt,
    },
  };
}

/** The facts of a turn of this run; those of another run's are not repeated. */
function factsOf(
  attempt: AttemptState | undefined,
  { versions, newestVersion, reruns }: ConversationFacts,
  newest: number,
) {
  if (attempt === undefined) return { attempt: null };
  const { n, status, started_at: from, ended_at: to, tokens, cost_usd, error } = attempt;
  const duration = from === null || to === null ? null : Math.max(Date.parse(to) - Date.parse(from), 0);
  return {
    attempt: {
      status,
      duration_ms: duration,
      tokens,
      cost_usd,
      error,
      version: versions.find(({ attempt }) => attempt === n)?.version ?? (n === newest ? newestVersion : null),
      reruns: reruns.filter((rerun) => rerun.attempt === n).map(asRerun),
    },
  };
}

function asRerun({ id, status, created_at }: ConversationFacts["reruns"][number]) {
  return { id, status, created_at };
}
