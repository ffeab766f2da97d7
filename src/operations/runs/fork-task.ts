import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { conversationBefore, replaceLastMessage, titleOf } from "#domain/tasks/conversation.ts";
import { changeResults } from "#domain/tasks/changed-results.ts";
import { changeAnswer } from "#domain/tasks/changed-answer.ts";
import type { AnswerChange } from "#domain/tasks/changed-answer.ts";
import {
  answeredCalls,
  givenReply,
  rowsBeforeCall,
  rowsOfCall,
  copyableRows,
  takeOver,
} from "#domain/tasks/run-journal.ts";
import type { JournalRow } from "#domain/tasks/run-journal.ts";
import { taskFork } from "#domain/tasks/task-fork.ts";
import type { TaskFork } from "#domain/tasks/task-fork.ts";
import type { ForkCreate } from "#domain/teams/run-fork.ts";
import type { Transaction } from "#db/database.ts";
import { copyRunBudget } from "#db/queries/budgets/budgets.ts";
import { beginJournal, insertForkedTask, readForkable, readJournal } from "#db/queries/runs/forks.ts";
import type { ForkInput, ForkableRun } from "#db/queries/runs/forks.ts";
import type { ModelUse } from "#db/queries/agents/agents.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { beginLog } from "#db/queries/streams/log-heads.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import { insertCopies } from "../files/copy-files.ts";
import { changedAgent, stepsGone } from "./fork-parts.ts";
import type { Fork, ForkedAttempt, RequestOf } from "./fork-parts.ts";
import { endOfAttempt, isStartStored } from "../runs/attempts.ts";
import { answererOf } from "./respond.ts";
import type { Workspace } from "../workspace.ts";

/** The task to fork. */
interface TaskSource extends Omit<ForkableRun, "status">, ForkedAttempt {
  readonly id: string;
  /** How its agent calls its model today. */
  readonly agent: ModelUse & { readonly version: number };
  readonly journal: readonly JournalRow[];
  readonly earlier: TaskFork | null;
}

/**
 * Starts a task with the same input and agent. It starts at one of the agent's model calls and takes the earlier steps
 * over: none is repeated or paid again. The agent has its current fields, then the changes of the other task, if that
 * is a fork itself, then the given ones. It has the other task's cap.
 * @throws AppError `not_found`; `bad_request` for an invalid change; `conflict` when the task has not reached the call,
 * its steps are no longer stored, or its agent was deleted.
 */
export async function forkTask(
  workspace: Workspace,
  { sourceId, attempt, copies }: Fork,
  requestOf: RequestOf,
): Promise<JsonText> {
  const createdBy = workspace.who.userId;
  const record = await workspace.change(async (tx) => {
    const source = await readSource(tx, sourceId, attempt);
    const request = requestOf(source);
    const rows = rowsFor(source, { ...request, by: answererOf(workspace.who) });
    const id = newId();
    const fork = designFork(workspace, source, request);
    await insertForkedTask(tx, { id, createdBy, fork, input: inputOf(source, request), trace: tx.trace(id) });
    await beginLog(tx, id);
    await beginJournal(tx, id, rows.map(takeOver));
    await insertCopies(tx, copies, { taskId: id });
    await copyRunBudget(tx, { id: newId(), from: sourceId, to: id, createdBy });
    await tx.enqueue("task", id);
    return readRecord(tx, "task", id);
  });
  if (record === undefined) throw notFound("Task");
  return record;
}

async function readSource(tx: Transaction, id: string, attempt: number): Promise<TaskSource> {
  const task = await readForkable(tx, "task", id);
  if (task === undefined) throw notFound("Task");
  const agent = agentOf(task);
  const isNewest = attempt === task.attempt;
  const conversation = isNewest || task.conversation === null ? task.conversation : conversationAt(task, id, attempt);
  const key = { id, kind: "task", attempt } as const;
  const status = isNewest ? task.status : await endOfAttempt(tx, key);
  const journal = copyableRows(await readJournal(tx, key));
  const reached = answeredCalls(journal);
  const hasStarted = !isNewest || task.hasStarted;
  const isPurged = reached === 0 && hasStarted && !(await isStartStored(tx, key));
  const earlier = task.fork === null ? null : taskFork.parse(task.fork);
  return { ...task, id, attempt, status, agent, conversation, journal, reached, isPurged, earlier };
}

function agentOf({ provider, model, reasoning, version }: ForkableRun): TaskSource["agent"] {
  if (provider !== null && model !== null && reasoning !== null && version !== null) {
    return { provider, model, reasoning, version };
  }
  throw new AppError("conflict", "A task without an agent cannot be forked; assign one.");
}

function conversationAt({ conversation }: ForkableRun, id: string, attempt: number): ForkInput["conversation"] {
  const said = conversationBefore({ id, conversation }, attempt);
  if (said !== undefined) return said;
  const message = `Attempt ${attempt} of this conversation has no reply, so it cannot be forked; fork a later one.`;
  throw new AppError("conflict", message);
}

/** Returns the task's input, with the message of the fork. A new message makes it a conversation. */
function inputOf(
  { title, description, conversation }: TaskSource,
  { from_step: from, changes }: ForkCreate,
): ForkInput {
  const message = changes?.message;
  if (message === undefined) return { title, description, conversation };
  if (from > 0) {
    const issue = "can be changed with from_step 0 only: the steps before another one answer the message as it is";
    throw invalid("body", [{ path: "changes.message", message: issue }]);
  }
  const said = replaceLastMessage(conversation ?? [], message);
  return { title: said.length === 1 ? titleOf(message) : title, description: message, conversation: said };
}

/**
 * Returns the finished steps that the fork starts with; with a changed answer or result also those of the call that
 * asked for it, with a text also the call that it replaces.
 */
function rowsFor(
  { journal, status, reached, isPurged, attempt }: TaskSource,
  { from_step: from, changes = {}, by }: ForkCreate & { readonly by: AnswerChange["by"] },
): readonly JournalRow[] {
  const before = rowsBeforeCall(journal, from);
  if (before === undefined) {
    if (isPurged) throw stepsGone("task", attempt);
    const message = `The task is ${status} and has reached call ${reached}; it cannot be forked from call ${from}.`;
    throw new AppError("conflict", message);
  }
  const { answer, question, tool_results: results } = changes;
  if (typeof answer === "string") {
    if (status === "completed" && from === reached) {
      throw new AppError("conflict", `The task ended with call ${from - 1}; there is no call ${from} to replace.`);
    }
    return [...before, givenReply({ call: from, text: answer, by })];
  }
  if (results !== undefined) return [...before, ...changeResults(rowsOfCall(journal, from), { results, by })];
  if (answer === undefined) return before;
  return [...before, ...changeAnswer(rowsOfCall(journal, from), { answer, question, by })];
}

function designFork(
  { catalogue }: Services,
  { id, attempt, agent, earlier }: TaskSource,
  { from_step: from, changes = {} }: ForkCreate,
): TaskFork {
  const { prompt } = changes;
  const before = earlier?.agent;
  const changed = changedAgent(catalogue, { ...agent, ...before }, changes);
  return {
    task_id: id,
    attempt,
    from_step: from,
    asides: { ...earlier?.asides, ...(prompt !== undefined && { [from]: prompt }) },
    ...((changed ?? before) && { agent: { ...before, ...changed }, of_version: agent.version }),
  };
}
