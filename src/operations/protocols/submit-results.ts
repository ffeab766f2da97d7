import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { clientCalls } from "#domain/tools/client-tools.ts";
import type { ClientCalls, ClientResults, ClientTools } from "#domain/tools/client-tools.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { readEvents } from "#db/queries/streams/task-events.ts";
import type { Services } from "../context.ts";
import { respond } from "../tasks/respond.ts";

const asking = z.looseObject({ interactionId: z.string(), clientCalls });
const response = z.looseObject({
  type: z.literal("INTERACTION_RESPONSE"),
  interactionId: z.string(),
  answer: z.looseObject({ values: z.record(z.string(), z.unknown()) }),
});

/** A run's request for the results of its client's tools. */
export interface AskedCalls {
  readonly interactionId: string;
  readonly clientCalls: ClientCalls;
  /** What was answered, by the fields of the form; undefined while the run waits. */
  readonly answer: Readonly<Record<string, unknown>> | undefined;
  /** Whether the run waits no more. */
  readonly isOver: boolean;
}

/** Where a run asked for results: the number of the event in its task's log. */
export interface AskedAt {
  readonly taskId: string;
  readonly seq: number;
}

/** Reads what a run asked of its client; undefined when the workspace has no such event. */
export async function readAskedCalls(
  services: Pick<Services, "db">,
  who: Principal,
  { taskId, seq }: AskedAt,
): Promise<AskedCalls | undefined> {
  // Nothing is appended to the log of a run that waits: the next event is the answer, or the end.
  const [first, second] = await readEvents(services.db, who, { taskId, after: seq - 1, limit: 2 });
  const asked = asking.safeParse(first?.seq === seq ? JSON.parse(first.text) : undefined);
  if (!asked.success) return undefined;
  const answered = response.safeParse(second && JSON.parse(second.text));
  return { ...asked.data, answer: answered.data?.answer.values, isOver: second !== undefined };
}

/** Results for all calls that a run waits for. */
export interface Submission extends AskedAt {
  readonly asked: AskedCalls;
  readonly results: ClientResults;
  /** What the client offers from here on. */
  readonly clientTools: ClientTools;
}

/**
 * Continues a run with the results of its client's tools. The same results sent again change nothing.
 * @throws AppError `conflict` when the run does not wait for them any more.
 */
export async function submitResults(services: Services, who: Principal, submission: Submission): Promise<void> {
  const { taskId, asked, results, clientTools } = submission;
  const { interactionId } = asked;
  const values = Object.fromEntries(
    asked.clientCalls.calls.map(({ field, toolCallId }) => [field, results.get(toolCallId) ?? ""]),
  );
  if (isAnswered(asked, values)) return;
  try {
    await respond(services, who, { taskId, interactionId, body: { values }, via: "client", clientTools });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    // The same request may have been processed in the meantime.
    const now = await readAskedCalls(services, who, submission);
    if (now === undefined || !isAnswered(now, values)) throw error;
  }
}

function isAnswered({ answer, isOver }: AskedCalls, values: Readonly<Record<string, string>>): boolean {
  if (answer !== undefined && isDeepStrictEqual(answer, values)) return true;
  if (!isOver) return false;
  throw new AppError(
    "conflict",
    answer === undefined
      ? "The run does not wait for these results any more: it was cancelled, or they came too late."
      : "Other results were sent for these calls already.",
  );
}
