import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { ATTACH, uploadAttachments } from "../arguments/attach-files.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { resolveTeam } from "../arguments/resolve-team.ts";
import { createApi } from "../service/api.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { readAllInput } from "../terminal/input.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";
import { watchRun } from "../watch/watch-run.ts";
import { TEAM_MODE_NAMES } from "#domain/teams/team.ts";

const list = defineCommand({
  summary: "List teams, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { api, out } = openSession(args);
    const { items, hasMore } = await api.listTeams(limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No teams yet. Make one: muster teams create --name Crew --mode pipeline");
    else {
      const rows = items.map(({ id, name, mode, members }) => [id, name, mode, String(members.length)]);
      out.table(["ID", "NAME", "MODE", "MEMBERS"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Create a team",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    mode: { type: "enum", options: [...TEAM_MODE_NAMES], required: true, description: "Team mode" },
    description: { type: "string", description: "What it is for" },
    config: { type: "string", valueHint: "file", description: "Its config as JSON; - reads it from standard input" },
    ...CONNECTION,
  },
  async run(args) {
    const { name, mode, description } = args;
    const { api, out } = openSession(args);
    const config = args.config === undefined ? undefined : await readJsonObject(args.config, "the config", out);
    const team = await api.createTeam({ name, mode, description, config });
    if (args.json) out.json(team);
    else {
      out.line(`Created team ${safeText(team.name)} (${team.id}) with ${team.members.length} members`);
      out.note(`Give it work: muster runs create --team ${team.id} --task "…"`, "dim");
    }
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show a team and its config",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const team = await api.getTeam(await resolveTeam(api, args.team));
    if (args.json) {
      out.json(team);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: team.id,
      name: team.name,
      description: team.description,
      mode: team.mode,
      members: team.members.map(({ agent_id, role }) => `${agent_id} (${role})`).join(", "),
      created: formatTime(team.created_at),
    });
    lines.forEach((line) => out.line(line));
    out.line("");
    out.text(JSON.stringify(team.config, null, 2));
    out.endLine();
    return EXIT.ok;
  },
});

const run = defineCommand({
  summary: "Start a team run",
  args: {
    team: { type: "positional", description: "Its id or exact name" },
    input: {
      type: "string",
      required: true,
      valueHint: "text",
      description: "Input; - reads standard input",
    },
    ...ATTACH,
    watch: { type: "boolean", description: "Follow the steps and wait for the end" },
    ...CONNECTION,
  },
  async run(args) {
    const { watch, json } = args;
    const session = openSession(args);
    const { api, out } = session;
    const teamId = await resolveTeam(api, args.team);
    const input = args.input === "-" ? await readAllInput(out, "the work") : args.input;
    const attachments = await uploadAttachments(api, args.attach);
    const run = await api.startRun({ team_id: teamId, input_task: input, attachments });
    if (watch) {
      out.note(`Run ${run.id}`, "dim");
      return watchRun(session, run.id, json ? "json" : "text");
    }
    if (json) out.json(run);
    else {
      out.line(`Started run ${run.id} (${run.status})`);
      out.note(`See it work: muster runs watch ${run.id}`, "dim");
    }
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "team",
  effect: "Its unfinished tasks and runs are cancelled.",
  remove: (client, id) => createApi(client).deleteTeam(id),
});

const memoriesList = defineCommand({
  summary: "List the memories of a team, newest first",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { api, out } = openSession(args);
    const { items, hasMore } = await api.listMemories(await resolveTeam(api, args.team), limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No memories.");
    else {
      const rows = items.map(({ id, status, created_at, task, outcome }) => [
        id,
        status,
        formatTime(created_at),
        firstLine(task),
        firstLine(outcome),
      ]);
      out.table(["ID", "STATUS", "AT", "TASK", "OUTCOME"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const memoriesRemove = defineCommand({
  summary: "Delete one memory of a team, or all",
  args: {
    team: { type: "positional", description: "Its id or exact name" },
    id: { type: "positional", required: false, description: "The memory's id" },
    all: { type: "boolean", description: "Delete all memories" },
    ...CONNECTION,
  },
  async run(args) {
    const id = args.id === "" ? undefined : args.id;
    if ((id === undefined) === (args.all !== true)) throw new UsageError("Give the id of a memory, or --all.");
    const { api, out } = openSession(args);
    const teamId = await resolveTeam(api, args.team);
    await api.deleteMemories(teamId, id);
    if (args.json) out.json({ team_id: teamId, ...(id !== undefined && { id }), deleted: true });
    else out.line(id === undefined ? `Deleted all memories of team ${teamId}` : `Deleted memory ${id}`);
    return EXIT.ok;
  },
});

const memories = defineGroup("Manage team memories", { list: memoriesList, delete: memoriesRemove });

/** `muster teams …` */
export default defineGroup("Manage teams", { list, create, get, run, delete: remove, memories });

function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}
