import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineFork } from "../arguments/define-fork.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { defineRetry } from "../arguments/define-retry.ts";
import { defineAnswer } from "../watch/define-answer.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { nameAndId, namesById } from "../service/name-and-id.ts";
import { openSession } from "../service/session.ts";
import { formatCost, formatTime, formatUsedTokens } from "../terminal/format.ts";
import { watchRun } from "../watch/watch-run.ts";
import { START_RUN, startRun } from "../watch/start-run.ts";

const ID = { id: { type: "positional", description: "Id or title" } } as const;

const create = defineCommand({
  summary: "Start a team run",
  args: {
    team: { type: "string", required: true, valueHint: "id or name", description: "The team that works on it" },
    ...START_RUN,
  },
  run: startRun,
});

const list = defineList({
  summary: "List team runs, newest first",
  args: {
    team: { type: "string", valueHint: "id or name", description: "Only runs of this team" },
  },
  read: async (muster, { team, limit }) =>
    muster.listTeamRuns({ team_id: await resolveOptionalId(muster, "team", team), limit }),
  none: ({ team }) => noneYet("run", team),
  row: ({ id, status, created_at, input_task }) => ({
    ID: id,
    STATUS: status,
    CREATED: formatTime(created_at),
    TASK: input_task.split("\n", 1).join(""),
  }),
});

const get = defineRequest({
  summary: "Show a run with its messages and output",
  args: ID,
  send: async ({ muster }, { id }) => muster.getTeamRun({ id: await resolveId(muster, "run", id) }),
  async print({ muster, out }, run) {
    const { usage, messages } = run;
    out.fields({
      id: run.id,
      team: await nameAndId(run.team_id, muster.getTeam),
      task: run.input_task,
      status: run.status,
      created: formatTime(run.created_at),
      started: formatTime(run.started_at),
      ended: formatTime(run.completed_at),
      usage: `${formatUsedTokens(usage)}, ${formatCost(usage.cost_usd)}`,
      error: run.error,
    });
    if (messages.length > 0) {
      out.line("");
      const senders = messages.flatMap(({ sender_agent_id }) => sender_agent_id ?? []);
      const names = await namesById(senders, muster.getAgent);
      const rows = messages.map((message) => [
        formatTime(message.created_at) ?? "",
        message.message_type,
        names.get(message.sender_agent_id ?? "") ?? "",
        message.content.split("\n", 1).join(""),
      ]);
      out.table(["AT", "MESSAGE", "FROM", "TEXT"], rows);
    }
    if (run.output !== null) {
      out.line("");
      out.text(run.output);
      out.endLine();
    }
  },
});

const watch = defineCommand({
  summary: "Follow a run from its start to its end",
  args: { ...ID, ...CONNECTION },
  async run(args) {
    const session = openSession(args);
    const { id } = await session.muster.getTeamRun({ id: await resolveId(session.muster, "run", args.id) });
    return watchRun(session, id, args.json ? "json" : "text");
  },
});

const answer = defineAnswer("run");

const cancel = defineRequest({
  summary: "Cancel a run and abort its calls in flight",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateTeamRun({ id: await resolveId(muster, "run", id) }, { status: "cancelled" }),
  print: ({ out }, { id }) => out.line(`Cancelled run ${id}`),
});

const retry = defineRetry({
  kind: "run",
  summary: "Retry a run from the step that failed or was cancelled, or all that failed with a code",
  id: "Id or title",
  retry: (muster, id) => muster.retryRun({ id }),
  retryFailed: (muster, failed) => muster.retryFailedRuns(failed),
});

const remove = defineDeletion({
  kind: "run",
  effect: "Its events, its output and its files are deleted too.",
  remove: (muster, id) => muster.deleteRun({ id }),
});

/** `muster runs …` */
export default defineGroup("Start and follow team runs", {
  create,
  list,
  get,
  watch,
  answer,
  cancel,
  fork: defineFork("run"),
  retry,
  delete: remove,
});
