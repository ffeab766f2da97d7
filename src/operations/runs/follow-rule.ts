import { stageMs } from "#domain/approvals/order.ts";
import type { ApprovalOrder } from "#domain/approvals/order.ts";
import { serviceIn } from "#domain/access/role.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import { openRequest } from "#domain/tasks/interaction-request.ts";
import { orderOf, question as questionSchema } from "#domain/tasks/interaction.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import { limitLockWait } from "#db/queries/lock-wait.ts";
import { escalateQuestion, readVotes } from "#db/queries/runs/approvals.ts";
import { lockAsking } from "#db/queries/runs/lock-runs.ts";
import { recordAnswer } from "#db/queries/runs/question-list.ts";
import { readQuestion, resumeRun } from "#db/queries/runs/questions.ts";
import type { OpenQuestion } from "#db/queries/runs/questions.ts";
import { appendWhileWaiting } from "#db/queries/streams/log-heads.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { Change, ChangeServices } from "../change-workspace.ts";

/**
 * Does what a rule says about its question whose deadline has passed: asks more people, or answers it at the last one.
 * Safe to run concurrently. Returns false when the run is to fail.
 */
export async function followRule(
  services: ChangeServices,
  { runId, workspaceId }: { readonly runId: string; readonly workspaceId: string },
): Promise<boolean> {
  return changeWorkspace(services, serviceIn(workspaceId), async (tx) => {
    await limitLockWait(tx);
    const run = await lockAsking(tx, runId);
    // Read under the lock: votes may have decided it, or another process may have asked more people.
    const open = run?.status === "waiting_for_input" ? await readQuestion(tx, runId) : undefined;
    if (run === undefined || open === undefined || open.expired !== true) return true;
    const question = questionSchema.parse(open.question);
    const order = orderOf(question);
    if (order === undefined) return false;
    if (open.stage < order.stages.length - 1) await escalate(tx, runId, { open, question, order });
    else if (order.ending === "fail") return false;
    else await answer(tx, run, { open, question, order });
    tx.publish(runId);
    return true;
  });
}

/** A question that a rule asks. */
interface Ruled {
  readonly open: OpenQuestion;
  readonly question: Question;
  readonly order: ApprovalOrder;
}

/** Asks those of the next stage as well: a request with the same id and a new deadline. */
async function escalate(tx: Change, runId: string, { open, question, order }: Ruled): Promise<void> {
  const { interactionId, toolCallId } = open;
  const stage = open.stage + 1;
  const asked = { ...question, timeoutMs: stageMs(order, stage) };
  const request = openRequest(asked, { interactionId, toolCallId, stage }, {});
  await escalateQuestion(tx, runId, JSON.stringify(request));
  if (request === undefined) return;
  const event = addTimestamp({ type: "INTERACTION_REQUEST", threadId: runId, ...request }, new Date());
  await appendWhileWaiting(tx, runId, [JSON.stringify(event)]);
}

async function answer(
  tx: Change,
  run: { readonly id: string; readonly attempt: number },
  { open, question, order }: Ruled,
): Promise<void> {
  const { interactionId } = open;
  const approved = order.ending === "allow";
  const outcome = JSON.stringify({ approved, votes: await readVotes(tx, interactionId), late: true });
  const event = { type: "INTERACTION_RESPONSE", threadId: run.id, interactionId, answer: { approved } } as const;
  await appendWhileWaiting(tx, run.id, [JSON.stringify(addTimestamp(event, new Date()))]);
  const label = question.kind === "prompt" ? question.prompt.title : question.title;
  const facts = JSON.stringify({ label, answeredVia: "rule" } satisfies StepFacts);
  await resumeRun(tx, run, { answer: outcome, facts });
  await recordAnswer(tx, interactionId, { userId: null, name: null, vendorId: null, via: "rule", answer: outcome });
}
