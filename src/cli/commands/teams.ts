import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { UsageError } from "../errors/cli-error.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { asBody } from "../arguments/as-body.ts";
import { namesById } from "../service/name-and-id.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { TEAM_MODE_NAMES } from "#domain/teams/team-mode.ts";
import { START_RUN, startRun } from "../watch/start-run.ts";

const TEAM = { team: { type: "positional", description: "Id or name" } } as const;

const list = defineList({
  summary: "List teams, newest first",
  args: {},
  read: (muster, { limit }) => muster.listTeams({ limit }),
  none: () => noneYet("team"),
  row: ({ id, name, mode, members }) => ({ ID: id, NAME: name, MODE: mode, MEMBERS: members.length }),
});

const create = defineRequest({
  summary: "Create a team",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    mode: { type: "enum", options: [...TEAM_MODE_NAMES], required: true, description: "Team mode" },
    description: { type: "string", description: "What it is for" },
    config: { type: "string", valueHint: "file", description: "Its config as JSON; - reads it from standard input" },
  },
  async send({ muster, out }, { name, mode, description, config: file }) {
    const config = file === undefined ? undefined : await readJsonObject(file, "the config", out);
    return muster.createTeam(asBody({ name, mode, description, config }));
  },
  print({ out }, { name, id, members }) {
    const count = `${members.length} ${members.length === 1 ? "member" : "members"}`;
    out.line(`Created team ${safeText(name)} (${id}) with ${count}`);
    out.note(`Give it work: muster runs create --team ${id} --input "…"`, "dim");
  },
});

const get = defineRequest({
  summary: "Show a team and its config",
  args: TEAM,
  send: async ({ muster }, { team }) => muster.getTeam({ id: await resolveId(muster, "team", team) }),
  async print({ muster, out }, team) {
    const names = await namesById(
      team.members.map(({ agent_id }) => agent_id),
      muster.getAgent,
    );
    out.fields({
      id: team.id,
      name: team.name,
      description: team.description,
      mode: team.mode,
      members: team.members.map(({ agent_id, role }) => `${names.get(agent_id)} (${role})`).join(", "),
      created: formatTime(team.created_at),
    });
    out.line("");
    out.text(JSON.stringify(team.config, null, 2));
    out.endLine();
  },
});

const run = defineCommand({
  summary: "Start a team run",
  args: {
    ...TEAM,
    ...START_RUN,
  },
  run: startRun,
});

const remove = defineDeletion({
  kind: "team",
  effect: "Its unfinished tasks and runs are cancelled.",
  remove: (muster, id) => muster.deleteTeam({ id }),
});

const memoriesList = defineList({
  summary: "List the memories of a team, newest first",
  args: TEAM,
  read: async (muster, { team, limit }) =>
    muster.listTeamMemories({ id: await resolveId(muster, "team", team), limit }),
  none: () => "No memories.",
  row: ({ id, status, created_at, task, outcome }) => ({
    ID: id,
    STATUS: status,
    AT: formatTime(created_at),
    TASK: firstLine(task),
    OUTCOME: firstLine(outcome),
  }),
});

const memoriesRemove = defineRequest({
  summary: "Delete one memory of a team, or all",
  args: {
    ...TEAM,
    id: { type: "positional", required: false, description: "The memory's id" },
    all: { type: "boolean", description: "Delete all memories" },
  },
  async send({ muster }, args) {
    const id = args.id === "" ? undefined : args.id;
    if ((id === undefined) === (args.all !== true)) throw new UsageError("Give the id of a memory, or --all.");
    const teamId = await resolveId(muster, "team", args.team);
    if (id === undefined) await muster.deleteTeamMemories({ id: teamId });
    else await muster.deleteTeamMemory({ id: teamId, memory_id: id });
    return { team_id: teamId, id, deleted: true };
  },
  print: ({ out }, { team_id, id }) =>
    out.line(id === undefined ? `Deleted all memories of team ${team_id}` : `Deleted memory ${id}`),
});

const memories = defineGroup("Manage team memories", { list: memoriesList, delete: memoriesRemove });

/** `muster teams …` */
export default defineGroup("Manage teams", { list, create, get, run, delete: remove, memories });

function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}
