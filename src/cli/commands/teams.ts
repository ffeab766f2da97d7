import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { asBody } from "../arguments/as-body.ts";
import { namesById } from "../service/name-and-id.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";
import { TEAM_MODE_NAMES } from "#domain/teams/team-mode.ts";
import { START_RUN, startRun } from "../watch/start-run.ts";

const list = defineCommand({
  summary: "List teams, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listTeams({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("team"));
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
    const { muster, out } = openSession(args);
    const config = args.config === undefined ? undefined : await readJsonObject(args.config, "the config", out);
    const team = await muster.createTeam(asBody({ name, mode, description, config }));
    if (args.json) out.json(team);
    else {
      const count = `${team.members.length} ${team.members.length === 1 ? "member" : "members"}`;
      out.line(`Created team ${safeText(team.name)} (${team.id}) with ${count}`);
      out.note(`Give it work: muster runs create --team ${team.id} --input "…"`, "dim");
    }
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show a team and its config",
  args: { team: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const team = await muster.getTeam({ id: await resolveId(muster, "team", args.team) });
    if (args.json) {
      out.json(team);
      return EXIT.ok;
    }
    const names = await namesById(
      team.members.map(({ agent_id }) => agent_id),
      muster.getAgent,
    );
    const lines = fieldLines({
      id: team.id,
      name: team.name,
      description: team.description,
      mode: team.mode,
      members: team.members.map(({ agent_id, role }) => `${names.get(agent_id)} (${role})`).join(", "),
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
    team: { type: "positional", description: "Id or name" },
    ...START_RUN,
  },
  run: startRun,
});

const remove = defineDeletion({
  kind: "team",
  effect: "Its unfinished tasks and runs are cancelled.",
  remove: (muster, id) => muster.deleteTeam({ id }),
});

const memoriesList = defineCommand({
  summary: "List the memories of a team, newest first",
  args: { team: { type: "positional", description: "Id or name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "team", args.team);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listTeamMemories({ id, limit: size }));
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
    team: { type: "positional", description: "Id or name" },
    id: { type: "positional", required: false, description: "The memory's id" },
    all: { type: "boolean", description: "Delete all memories" },
    ...CONNECTION,
  },
  async run(args) {
    const id = args.id === "" ? undefined : args.id;
    if ((id === undefined) === (args.all !== true)) throw new UsageError("Give the id of a memory, or --all.");
    const { muster, out } = openSession(args);
    const teamId = await resolveId(muster, "team", args.team);
    if (id === undefined) await muster.deleteTeamMemories({ id: teamId });
    else await muster.deleteTeamMemory({ id: teamId, memory_id: id });
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
