import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { Principal } from "#domain/access/principal.ts";
import { changeAnswer } from "#domain/tasks/changed-answer.ts";
import { answeredCalls, rowsBeforeCall, rowsOfCall, rowsToPassOn, takeOver } from "#domain/tasks/run-journal.ts";
import type { JournalRow } from "#domain/tasks/run-journal.ts";
import { taskFork } from "#domain/tasks/task-fork.ts";
import type { TaskFork } from "#domain/tasks/task-fork.ts";
import type { ForkCreate } from "#domain/teams/run-fork.ts";
import type { Transaction } from "#db/database.ts";
import { copyRunBudget } from "#db/queries/budgets/budgets.ts";
import { beginJournal, insertForkedTask, readForkableTask } from "#db/queries/tasks/task-forks.ts";
import type { ForkableTask } from "#db/queries/tasks/task-forks.ts";
import { readRecordIn } from "#db/queries/tasks/read-record.ts";
import { beginTaskStream } from "#db/queries/tasks/tasks.ts";
import { readJournal } from "#db/queries/teams/run-forks.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import { insertCopies } from "../files/copy-files.ts";
import { allowedProvider, resolveProvider } from "../models/resolve-provider.ts";
import type { Fork } from "../teams/fork-run.ts";
import { withJobs } from "./with-jobs.ts";

/** A task that is to be forked. */
interface TaskSource extends ForkableTask {
  readonly id: string;
  readonly provider: string;
  readonly journal: readonly JournalRow[];
  /** How many calls of its model were answered: the next one is the last from which it can be forked. */
  readonly reached: number;
  readonly earlier: TaskFork | null;
}

/**
 * Starts a task with the same work and agent that begins at a call of the agent's model and takes what was before it
 * from there: nothing of that is done or paid again. The agent is as it is now, with the changes of the other task, if
 * that is a fork itself, and then the given ones. It is capped as the other task is.
 * @throws AppError `not_found`; `bad_request` for a change that does not fit; `conflict` when the task has not come to
 * the call, its steps are not on record any more, or its agent is gone.
 */
export function forkTask(services: Services, who: Principal, fork: Fork, request: ForkCreate): Promise<JsonText> {
  return begin(services, who, fork, () => request);
}

/**
 * Forks a task that has failed or was cancelled from the call at which that happened, without changes.
 * @throws AppError `conflict` naming the state for other tasks; else as {@link forkTask}.
 */
export function retryTask(services: Services, who: Principal, fork: Fork): Promise<JsonText> {
  return begin(services, who, fork, ({ status, reached }) => {
    if (status === "failed" || status === "cancelled") return { from_step: reached };
    throw new AppError(
      "conflict",
      `Only a task that is failed or cancelled can be tried again; this one is ${status}.`,
    );
  });
}

async function begin(
  services: Services,
  who: Principal,
  { sourceId, copies }: Fork,
  requestOf: (source: TaskSource) => ForkCreate,
): Promise<JsonText> {
  const createdBy = who.userId;
  const record = await withJobs(services, who, async (tx) => {
    const source = await readSource(tx, sourceId);
    const request = requestOf(source);
    const rows = rowsFor(source, request);
    const id = newId();
    await insertForkedTask(tx, { id, createdBy, fork: designFork(services, source, request) });
    await beginTaskStream(tx, id);
    await beginJournal(tx, id, rows.map(takeOver));
    await insertCopies(tx, copies, { taskId: id });
    await copyRunBudget(tx, { id: newId(), from: sourceId, to: id, createdBy });
    await tx.enqueue("task", id);
    return readRecordIn(tx, "task", id);
  });
  if (record === undefined) throw notFound("Task");
  return record;
}

async function readSource(tx: Transaction, id: string): Promise<TaskSource> {
  const task = await readForkableTask(tx, id);
  if (task === undefined) throw notFound("Task");
  const { provider } = task;
  if (provider === null) throw new AppError("conflict", "A task that no agent does cannot be forked; assign one.");
  const journal = rowsToPassOn(await readJournal(tx, { id, attempt: task.attempt }));
  const earlier = task.fork === null ? null : taskFork.parse(task.fork);
  return { ...task, id, provider, journal, reached: answeredCalls(journal), earlier };
}

/** The finished steps that the fork has from its beginning; with another answer also those of the call before it. */
function rowsFor(
  { journal, status, reached }: TaskSource,
  { from_step: from, changes = {} }: ForkCreate,
): readonly JournalRow[] {
  const before = rowsBeforeCall(journal, from);
  if (before === undefined) {
    const message = `The task is ${status} and has come to call ${reached}; it cannot be forked from call ${from}.`;
    throw new AppError("conflict", message);
  }
  const { answer, question } = changes;
  if (typeof answer === "string") {
    const message = "what an agent's model answers in a call has no output that a text could stand for";
    throw invalid("body", [{ path: "changes.answer", message }]);
  }
  return answer === undefined ? before : [...before, ...changeAnswer(rowsOfCall(journal, from), { answer, question })];
}

function designFork(
  { catalogue }: Services,
  { id, attempt, provider, earlier }: TaskSource,
  { from_step: from, changes: { prompt, model } = {} }: ForkCreate,
): TaskFork {
  const served = model === undefined ? "" : resolveProvider(catalogue, { model, provider: allowedProvider(provider) });
  return {
    task_id: id,
    attempt,
    from_step: from,
    asides: { ...earlier?.asides, ...(prompt !== undefined && { [from]: prompt }) },
    ...(earlier?.agent !== undefined && { agent: earlier.agent }),
    ...(model !== undefined && { agent: { model, provider: served, version: null } }),
  };
}
