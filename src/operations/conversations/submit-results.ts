import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { clientCalls } from "#domain/tools/client-tools.ts";
import type { ClientCalls, ClientResults, ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import { readEvents } from "#db/queries/streams/task-events.ts";
import { respond } from "../runs/respond.ts";
import type { Workspace } from "../workspace.ts";

const asking = z.looseObject({ interactionId: z.string(), clientCalls });
const response = z.looseObject({
  type: z.literal("INTERACTION_RESPONSE"),
  interactionId: z.string(),
  answer: z.looseObject({ values: z.record(z.string(), z.unknown()) }),
});

/** A run's request for the results of client tools. */
export interface RequestedCalls {
  readonly interactionId: string;
  readonly clientCalls: ClientCalls;
  /** The answer, by form field; undefined while the run waits. */
  readonly answer: Readonly<Record<string, unknown>> | undefined;
  /** True if the run no longer waits. */
  readonly isOver: boolean;
}

/** Where a run requested results: the number of the event in its task's log. */
export interface RequestPosition {
  readonly taskId: string;
  readonly seq: number;
}

/** Reads which calls a run requested from its client; undefined when the workspace has no such event. */
export async function readAskedCalls(
  workspace: Workspace,
  { taskId, seq }: RequestPosition,
): Promise<RequestedCalls | undefined> {
  // The log of a waiting run does not grow: the next event is the answer, or the end.
  const [first, second] = await readEvents(workspace, { logId: taskId, after: seq - 1, limit: 2 });
  const asked = asking.safeParse(first?.seq === seq ? JSON.parse(first.text) : undefined);
  if (!asked.success) return undefined;
  const answered = response.safeParse(second && JSON.parse(second.text));
  return { ...asked.data, answer: answered.data?.answer.values, isOver: second !== undefined };
}

/** Results for all calls that a run waits for. */
export interface Submission extends RequestPosition {
  readonly asked: RequestedCalls;
  readonly results: ClientResults;
  /** The tools that the client offers from now on. */
  readonly clientTools: ClientTools;
}

/**
 * Continues a run with the results of client tools. The same results sent again have no effect.
 * @throws AppError `conflict` when the run no longer waits for them.
 */
export async function submitResults(workspace: Workspace, submission: Submission): Promise<void> {
  const { taskId, asked, results, clientTools } = submission;
  const { interactionId } = asked;
  const values = Object.fromEntries(
    asked.clientCalls.calls.map(({ field, toolCallId }) => [field, results.get(toolCallId) ?? ""]),
  );
  if (isAnswered(asked, values)) return;
  try {
    await respond(workspace, { subjectId: taskId, interactionId, body: { values }, via: "client", clientTools });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    // The same request may have been processed in the meantime.
    const now = await readAskedCalls(workspace, submission);
    if (now === undefined || !isAnswered(now, values)) throw error;
  }
}

function isAnswered({ answer, isOver }: RequestedCalls, values: Readonly<Record<string, string>>): boolean {
  if (answer !== undefined && isDeepStrictEqual(answer, values)) return true;
  if (!isOver) return false;
  throw new AppError(
    "conflict",
    answer === undefined
      ? "The run no longer waits for these results: it was cancelled, or they came too late."
      : "Other results were already sent for these calls.",
  );
}
