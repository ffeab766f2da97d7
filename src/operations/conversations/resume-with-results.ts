import { findThreadStream } from "#db/queries/tasks/agent-threads.ts";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import { findLatestAsking } from "#db/queries/tools/client-tools.ts";
import type { ClientResults, ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import { isUuid } from "#lib/ids.ts";
import { checkClientTools } from "../tools/check-client-tools.ts";
import { readAskedCalls, submitResults } from "./submit-results.ts";
import type { RequestPosition } from "./submit-results.ts";
import type { Workspace } from "../workspace.ts";

/** Results of client tools for a thread. */
export interface ThreadResults extends ThreadKey {
  readonly results: ClientResults;
  readonly clientTools: ClientTools;
}

/** The point from which a thread continued with results of client tools. */
export interface ResumedCalls extends RequestPosition {
  readonly toolCallIds: readonly string[];
}

/**
 * Continues a thread with the results of client tools; the same results sent again have no effect. Undefined when the
 * thread's current attempt did not request any of them last.
 * @throws AppError `bad_request` when some are missing; `conflict` when the thread no longer waits for them.
 */
export async function resumeWithResults(
  workspace: Workspace,
  { results, clientTools, ...thread }: ThreadResults,
): Promise<ResumedCalls | undefined> {
  const { agentId } = thread;
  const found = isUuid(agentId) ? await findThreadStream(workspace, thread) : undefined;
  if (found === undefined || found.first_seq === null) return undefined;
  const { taskId } = found;
  const event = await findLatestAsking(workspace, { taskId });
  const place = event && { taskId, seq: event.seq };
  const asked = place && (await readAskedCalls(workspace, place));
  if (place === undefined || asked === undefined) return undefined;
  const toolCallIds = asked.clientCalls.calls.map(({ toolCallId }) => toolCallId);
  const missing = toolCallIds.filter((id) => !results.has(id));
  if (missing.length === toolCallIds.length) return undefined;
  if (missing.length > 0) {
    throw new AppError("bad_request", `Results are missing for these calls: ${missing.join(", ")}.`);
  }
  await checkClientTools(workspace, { agentId, clientTools });
  await submitResults(workspace, { ...place, asked, results, clientTools });
  return { ...place, toolCallIds };
}
