import type { TeamDesign } from "#domain/teams/team.ts";
import type { TeamMember } from "#domain/teams/team-members.ts";
import { newId } from "#lib/ids.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const WRITABLE = "name, description, mode, config, output_route_ids, is_marketplace";

const INSERT = statement({
  name: "insert-team",
  text: `
    insert into teams (id, workspace_id, created_by, ${WRITABLE})
    select id, workspace_id, created_by, ${WRITABLE} from jsonb_populate_record(null::teams, $1)`,
});

/** A team row to insert. */
export interface NewTeam extends TeamDesign {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly name: string;
  readonly description: string;
  readonly output_route_ids: readonly string[] | null;
  readonly is_marketplace: boolean;
}

/** Inserts a team. */
export async function insertTeam(tx: Transaction, team: NewTeam): Promise<void> {
  await tx.query(INSERT, [JSON.stringify(team)]);
}

const LOCK = statement({ name: "lock-team", text: `select mode, config from teams where id = $1 for update` });

/** Reads a team's mode and config and locks it; undefined when the workspace has no such team. */
export async function lockTeam(tx: Transaction, teamId: string): Promise<TeamDesign | undefined> {
  const [team] = await tx.query<TeamDesign>(LOCK, [teamId]);
  return team;
}

const READ_DESIGN = statement({ name: "read-team-design", text: `select mode, config from teams where id = $1` });

/** Reads a team's mode and config; undefined when the workspace has no such team. */
export async function readTeamDesign(tx: Transaction, teamId: string): Promise<TeamDesign | undefined> {
  const [team] = await tx.query<TeamDesign>(READ_DESIGN, [teamId]);
  return team;
}

const UPDATE = statement({
  name: "update-team",
  text: `
    update teams t set (${WRITABLE}, updated_at) =
      (select ${WRITABLE}, clock_timestamp() from jsonb_populate_record(t, $2))
    where id = $1`,
});

/** Changes the given fields of a team. */
export async function updateTeam(tx: Transaction, teamId: string, patch: object): Promise<void> {
  await tx.query(UPDATE, [teamId, JSON.stringify(patch)]);
}

const LOCK_AGENTS = statement({
  name: "lock-agents-of-team",
  text: `select id from agents where id = any($1) order by id for key share`,
});

/** The existing ones among these agents, locked against deletion until the transaction ends. */
export async function lockAgentsNamed(tx: Transaction, agentIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(LOCK_AGENTS, [agentIds]);
  return new Set(rows.map(({ id }) => id));
}

const DELETE_MEMBERS = statement({ name: "delete-team-members", text: `delete from team_members where team_id = $1` });

const INSERT_MEMBERS = statement({
  name: "insert-team-members",
  text: `
    insert into team_members (id, workspace_id, team_id, agent_id, role, position)
    select m.id, t.workspace_id, t.id, m.agent_id, m.role, m.position
    from teams t, unnest($2::uuid[], $3::uuid[], $4::text[], $5::integer[]) m (id, agent_id, role, position)
    where t.id = $1`,
});

/** Replaces the members of a team. */
export async function replaceMembers(tx: Transaction, teamId: string, members: readonly TeamMember[]): Promise<void> {
  await tx.query(DELETE_MEMBERS, [teamId]);
  await tx.query(INSERT_MEMBERS, [
    teamId,
    members.map(() => newId()),
    members.map(({ agentId }) => agentId),
    members.map(({ role }) => role),
    members.map(({ position }) => position),
  ]);
}

const LOCK_ALL = statement({
  name: "lock-teams",
  text: `select id from teams where id = any($1::uuid[]) order by id for update`,
});

/** Locks teams until the transaction ends; returns the number of those that exist. */
export async function lockTeams(tx: Transaction, teamIds: readonly string[]): Promise<number> {
  return (await tx.query(LOCK_ALL, [teamIds])).length;
}

const DELETE = statement({ name: "delete-teams", text: `delete from teams where id = any($1::uuid[])` });

/** Deletes teams; their runs and tasks are kept without them. */
export async function deleteTeams(tx: Transaction, teamIds: readonly string[]): Promise<void> {
  await tx.query(DELETE, [teamIds]);
}
