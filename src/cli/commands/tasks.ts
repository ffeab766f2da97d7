import { CONNECTION } from "../arguments/arguments.ts";
import { ATTACH_OPTION, uploadAttachments } from "../arguments/attach-files.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineFork } from "../arguments/define-fork.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { defineRetry } from "../arguments/define-retry.ts";
import { defineAnswer } from "../watch/define-answer.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { AT_FORM, parseAt } from "../arguments/parse-time.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { nameAndId } from "../service/name-and-id.ts";
import { openSession } from "../service/session.ts";
import { warnOfMissingKey } from "../service/warn-of-missing-key.ts";
import { formatCost, formatTime, formatUsedTokens } from "../terminal/format.ts";
import { readAllInput } from "../terminal/input.ts";
import { printEstimate } from "../terminal/print-estimate.ts";
import { watchTask } from "../watch/watch-task.ts";
import type { Schemas } from "#client/index.ts";
import { TASK_PRIORITIES, TASK_STATUSES, sourcesOf } from "#domain/tasks/task-status.ts";

const ID = { id: { type: "positional", description: "Id or title" } } as const;

const create = defineCommand({
  summary: "Create a task",
  examples: [
    'tasks create --agent Writer --title "Say hello" --watch',
    "tasks create --agent Writer --title Summary --description - --attach report.pdf < notes.txt",
  ],
  args: {
    agent: { type: "string", required: true, valueHint: "id or name", description: "The agent that works on it" },
    title: { type: "string", required: true, description: "Title" },
    description: { type: "string", valueHint: "text", description: "Description; - reads standard input" },
    priority: { type: "enum", options: [...TASK_PRIORITIES], description: "More urgent tasks start first" },
    ...ATTACH_OPTION,
    at: { type: "string", valueHint: "time", description: `Start: ${AT_FORM}` },
    estimate: { type: "boolean", description: "Say what it will cost by the last runs, and create nothing" },
    watch: { type: "boolean", description: "Stream the answer and wait for the end" },
    ...CONNECTION,
  },
  async run(args) {
    const { title, priority, at, estimate, watch, json } = args;
    const session = openSession(args);
    const { muster, out } = session;
    const scheduledFor = at === undefined ? undefined : parseAt("at", at);
    const agentId = await resolveId(muster, "agent", args.agent);
    const description = args.description === "-" ? await readAllInput(out, "the description") : args.description;
    const fields = { title, description, priority, assigned_agent_id: agentId, scheduled_for: scheduledFor };
    if (estimate) {
      const told = await muster.estimateTask(fields);
      if (json) out.json(told);
      else printEstimate(out, told);
      return EXIT.ok;
    }
    const task = await muster.createTask({ ...fields, attachments: await uploadAttachments(muster, args.attach) });
    if (watch) {
      out.note(`Task ${task.id}`, "dim");
      return watchTask(session, task, json ? "json" : "text");
    }
    if (json) out.json(task);
    else {
      out.line(`Created task ${task.id} (${task.status})`);
      out.note(`See it work: muster tasks watch ${task.id}`, "dim");
      await warnOfMissingKey(session, await muster.getAgent({ id: agentId }));
    }
    return EXIT.ok;
  },
});

const list = defineList({
  summary: "List tasks, newest first",
  args: {
    status: { type: "enum", options: [...TASK_STATUSES], description: "Only tasks in this state" },
  },
  read: (muster, { status, limit }) => muster.listTasks({ status, limit }),
  none: ({ status }) => (status === undefined ? noneYet("task") : `No task is ${status}.`),
  row: ({ id, status, scheduled_for, priority, created_at, title }) => ({
    ID: id,
    STATUS: status === "pending" && scheduled_for !== null ? `${status} until ${formatTime(scheduled_for)}` : status,
    PRIORITY: priority,
    CREATED: formatTime(created_at),
    TITLE: title,
  }),
});

const get = defineRequest({
  summary: "Show a task and its result",
  args: ID,
  send: async ({ muster }, { id }) => muster.getTask({ id: await resolveId(muster, "task", id) }),
  async print({ muster, out }, task) {
    const { usage } = task;
    out.fields({
      id: task.id,
      title: task.title,
      description: task.description,
      status: task.status,
      priority: task.priority,
      agent: await nameAndId(task.assigned_agent_id, muster.getAgent),
      team: await nameAndId(task.assigned_team_id, muster.getTeam),
      question: task.interaction?.title,
      created: formatTime(task.created_at),
      "starts at": task.scheduled_for === null ? undefined : formatTime(task.scheduled_for),
      started: formatTime(task.started_at),
      ended: formatTime(task.completed_at),
      usage: `${formatUsedTokens(usage)}, ${formatCost(usage.cost_usd)}`,
      error: task.error,
    });
    if (task.interaction !== null) out.note(`Answer it: muster tasks answer ${task.id}`);
    if (task.result !== null) {
      out.line("");
      out.text(task.result);
      out.endLine();
    }
  },
});

const watch = defineCommand({
  summary: "Follow a task from its start to its end",
  args: { ...ID, ...CONNECTION },
  async run(args) {
    const session = openSession(args);
    const task = await session.muster.getTask({ id: await resolveId(session.muster, "task", args.id) });
    return watchTask(session, task, args.json ? "json" : "text");
  },
});

const answer = defineAnswer("task");

const cancel = defineRequest({
  summary: "Cancel a task and abort its call in flight",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateTask({ id: await resolveId(muster, "task", id) }, { status: "cancelled" }),
  print: ({ out }, { id }) => out.line(`Cancelled task ${id}`),
});

const retry = defineRetry({
  kind: "task",
  summary: "Retry a task, or all that failed with a code",
  id: "Id or title of a task that has ended",
  async retry(muster, id) {
    checkCanRunAgain(await muster.getTask({ id }));
    return muster.updateTask({ id }, { status: "dispatched" });
  },
  retryFailed: (muster, failed) => muster.retryFailedTasks(failed),
});

function checkCanRunAgain({ id, status }: Schemas["Task"]): void {
  if (sourcesOf("dispatched").includes(status)) return;
  throw new CliError(
    EXIT.failed,
    `Task ${id} is ${status}; only a task that has ended can run again.\nEnd it first: muster tasks cancel ${id}`,
  );
}

const remove = defineDeletion({
  kind: "task",
  effect: "Its events, its result and its files are deleted too.",
  remove: (muster, id) => muster.deleteTask({ id }),
});

/** `muster tasks …` */
export default defineGroup("Create and follow tasks", {
  create,
  list,
  get,
  watch,
  answer,
  cancel,
  fork: defineFork("task"),
  retry,
  delete: remove,
});
