import { findThreadStream } from "#db/queries/tasks/agent-threads.ts";
import type { ThreadKey } from "#db/queries/tasks/agent-threads.ts";
import { findLatestAsking } from "#db/queries/tools/client-tools.ts";
import type { ClientResults, ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { isUuid } from "#lib/ids.ts";
import type { Services } from "../context.ts";
import { checkClientTools } from "./check-client-tools.ts";
import { readAskedCalls, submitResults } from "./submit-results.ts";
import type { AskedAt } from "./submit-results.ts";

/** Results of tools that a client sends to a thread. */
export interface ThreadResults extends ThreadKey {
  readonly results: ClientResults;
  readonly clientTools: ClientTools;
}

/** Where a thread continued with results of its client. */
export interface ResumedCalls extends AskedAt {
  readonly toolCallIds: readonly string[];
}

/**
 * Continues a thread with the results of its client's tools; the same results sent again change nothing. Undefined
 * when the thread's current attempt has not asked for any of them last.
 * @throws AppError `bad_request` when some are missing; `conflict` when the thread does not wait for them any more.
 */
export async function resumeWithResults(
  services: Services,
  who: Principal,
  { results, clientTools, ...thread }: ThreadResults,
): Promise<ResumedCalls | undefined> {
  const { agentId } = thread;
  const found = isUuid(agentId) ? await findThreadStream(services.db, who, thread) : undefined;
  if (found === undefined || found.first_seq === null) return undefined;
  const { taskId } = found;
  const event = await findLatestAsking(services.db, who, { taskId });
  const place = event && { taskId, seq: event.seq };
  const asked = place && (await readAskedCalls(services, who, place));
  if (place === undefined || asked === undefined) return undefined;
  const toolCallIds = asked.clientCalls.calls.map(({ toolCallId }) => toolCallId);
  const missing = toolCallIds.filter((id) => !results.has(id));
  if (missing.length === toolCallIds.length) return undefined;
  if (missing.length > 0) {
    throw new AppError("bad_request", `Results are missing for these calls: ${missing.join(", ")}.`);
  }
  await checkClientTools(services, who, { agentId, clientTools });
  await submitResults(services, who, { ...place, asked, results, clientTools });
  return { ...place, toolCallIds };
}
