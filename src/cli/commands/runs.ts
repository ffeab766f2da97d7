import { ANSWER_OPTIONS, answerQuestion } from "../watch/answer-question.ts";
import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineFork } from "../arguments/define-fork.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { RETRY_FAILED, retryTargetOf } from "../arguments/retry-arguments.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { nameAndId, namesById } from "../service/name-and-id.ts";
import { openSession } from "../service/session.ts";
import { formatCost, formatTime } from "../terminal/format.ts";
import { fieldLines } from "../terminal/table.ts";
import { watchRun } from "../watch/watch-run.ts";
import { START_RUN, startRun } from "../watch/start-run.ts";

const create = defineCommand({
  summary: "Start a team run",
  args: {
    team: { type: "string", required: true, valueHint: "id or name", description: "The team that works on it" },
    ...START_RUN,
  },
  run: startRun,
});

const list = defineCommand({
  summary: "List team runs, newest first",
  args: {
    team: { type: "string", valueHint: "id or name", description: "Only runs of this team" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const teamId = args.team === undefined ? undefined : await resolveId(muster, "team", args.team);
    const { items, hasMore } = await listUpTo(limit, (size) =>
      muster.listTeamRuns({ ...(teamId && { team_id: teamId }), limit: size }),
    );
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("run"));
    else {
      const rows = items.map(({ id, status, created_at, input_task }) => [
        id,
        status,
        formatTime(created_at),
        input_task.split("\n", 1).join(""),
      ]);
      out.table(["ID", "STATUS", "CREATED", "TASK"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show a run with its messages and output",
  args: { id: { type: "positional", description: "Id or title" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const run = await muster.getTeamRun({ id: await resolveId(muster, "run", args.id) });
    if (args.json) {
      out.json(run);
      return EXIT.ok;
    }
    const { usage, messages } = run;
    const lines = fieldLines({
      id: run.id,
      team: await nameAndId(run.team_id, muster.getTeam),
      task: run.input_task,
      status: run.status,
      created: formatTime(run.created_at),
      started: formatTime(run.started_at),
      ended: formatTime(run.completed_at),
      usage: `${usage.prompt_tokens} tokens in, ${usage.completion_tokens} out, ${formatCost(usage.cost_usd)}`,
      error: run.error,
    });
    lines.forEach((line) => out.line(line));
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
    return EXIT.ok;
  },
});

const watch = defineCommand({
  summary: "Follow a run from its start to its end",
  args: { id: { type: "positional", description: "Id or title" }, ...CONNECTION },
  async run(args) {
    const session = openSession(args);
    const { id } = await session.muster.getTeamRun({ id: await resolveId(session.muster, "run", args.id) });
    return watchRun(session, id, args.json ? "json" : "text");
  },
});

const answer = defineCommand({
  summary: "Answer a run's open question; without an answer, prompt for it on a terminal",
  args: { id: { type: "positional", description: "Id or title" }, ...ANSWER_OPTIONS },
  async run(args) {
    const session = openSession(args);
    return answerQuestion(
      session,
      { what: "run", record: await session.muster.getTeamRun({ id: await resolveId(session.muster, "run", args.id) }) },
      args,
    );
  },
});

const cancel = defineCommand({
  summary: "Cancel a run and abort its calls in flight",
  args: { id: { type: "positional", description: "Id or title" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const run = await muster.updateTeamRun({ id: await resolveId(muster, "run", args.id) }, { status: "cancelled" });
    if (args.json) out.json(run);
    else out.line(`Cancelled run ${run.id}`);
    return EXIT.ok;
  },
});

const retry = defineCommand({
  summary: "Retry a run from the step that failed or was cancelled, or all that failed with a code",
  args: {
    id: { type: "positional", required: false, description: "Id or title" },
    ...RETRY_FAILED,
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const target = retryTargetOf("run", args);
    if ("id" in target) {
      const run = await muster.retryRun({ id: await resolveId(muster, "run", target.id) });
      if (args.json) out.json(run);
      else out.line(`Started run ${run.id} (${run.status})`);
      return EXIT.ok;
    }
    const answer = await muster.retryFailedRuns(target.failed);
    if (args.json) out.json(answer);
    else out.line(`${answer.retried} ${answer.retried === 1 ? "run starts" : "runs start"} again`);
    if (answer.has_more) out.note("There are more; run the command again for the next ones.", "dim");
    return EXIT.ok;
  },
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
