import { findAssignee } from "#db/queries/conversations/replies.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import { clientCallId, parseClientCallId } from "#protocols/openai/client-call-id.ts";
import type { GivenResult } from "#protocols/openai/items.ts";
import { readAskedCalls, submitResults } from "./submit-results.ts";
import type { RequestPosition, RequestedCalls } from "./submit-results.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import type { Workspace } from "../workspace.ts";

/** Results of calls, by client call id. */
interface GivenResults {
  readonly model: NamedModel;
  readonly results: readonly GivenResult[];
  readonly clientTools: ClientTools;
}

/**
 * Continues the run that made these calls, on any process; returns the reply to follow. The same results sent again get
 * the same reply.
 * @throws AppError `not_found` for calls that no run of the workspace made; `bad_request` when results are   missing,
 * belong to several runs, or the run is another agent's; `conflict` when the run no longer waits for them.
 */
export async function continueRun(
  workspace: Workspace,
  { model, results, clientTools }: GivenResults,
): Promise<ReplyPart> {
  const { taskId, seq } = placeOf(results);
  const asked = await readAskedCalls(workspace, { taskId, seq });
  if (asked === undefined) throw unknownCall(results[0]?.callId);
  const assigneeId = await findAssignee(workspace, taskId);
  if (assigneeId !== model.id) {
    throw new AppError("bad_request", `The calls belong to another model, not to ${JSON.stringify(model.model)}.`);
  }
  const outputs = byToolCallId({ taskId, seq }, asked, results);
  await submitResults(workspace, { taskId, seq, asked, results: outputs, clientTools });
  return { taskId, after: seq };
}

/** Returns where the run requested these results. */
function placeOf(results: readonly GivenResult[]): RequestPosition {
  const places = results.map(({ callId }) => {
    const place = parseClientCallId(callId);
    if (place === undefined) throw unknownCall(callId);
    return place;
  });
  const [first] = places;
  if (first === undefined) throw new AppError("bad_request", "The results of at least one call are required.");
  if (places.some(({ taskId, seq }) => taskId !== first.taskId || seq !== first.seq)) {
    throw new AppError("bad_request", "The results belong to calls of different replies: send those of the last one.");
  }
  return first;
}

function byToolCallId(
  place: RequestPosition,
  { clientCalls: { calls } }: RequestedCalls,
  results: readonly GivenResult[],
) {
  const given = new Map(results.map(({ callId, output }) => [callId, output]));
  const outputs = new Map<string, string>();
  const missing: string[] = [];
  calls.forEach(({ toolCallId }, index) => {
    const id = clientCallId({ ...place, index });
    const output = given.get(id);
    if (output === undefined) missing.push(id);
    else outputs.set(toolCallId, output);
    given.delete(id);
  });
  const [unknown] = given.keys();
  if (unknown !== undefined) throw unknownCall(unknown);
  if (missing.length > 0) {
    throw new AppError("bad_request", `Results are missing for these calls: ${missing.join(", ")}.`);
  }
  return outputs;
}

function unknownCall(id = ""): AppError {
  return new AppError("not_found", `No run of this workspace has made the call ${JSON.stringify(id)}.`);
}
