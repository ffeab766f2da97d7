import { z } from "zod";
import { KEY_KINDS } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { bearer, postAuth, sessionOf } from "../accounts.ts";
import { apiOf, consoleOf } from "../api.ts";
import type { Answer } from "../api.ts";
import { callOf } from "../interactions.ts";
import { seedTenantTables } from "./seed-tenant-tables.ts";
import type { TestService } from "../service.ts";
import { createTeam } from "../teams.ts";
import { QUICK, createAgent, createTask, taskInState } from "../work.ts";
import { addKey, sql } from "../workspace.ts";

/** What of a workspace a request can name: the id of one row per table, and a few more. */
export type ResourceIds = Readonly<Record<string, string>>;

/** A workspace in which everything was made, and all that opens it. */
export interface Side {
  readonly workspaceId: string;
  readonly things: ResourceIds;
  readonly keys: Readonly<Record<KeyKind, string>>;
  readonly token: string;
}

/** The tables of which a workspace has rows with an id, and the two views of runs, whose ids differ. */
const TABLES = `
  select c.table_name as name from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and (t.table_type = 'BASE TABLE' or c.table_name in ('tasks', 'team_runs'))
    and c.column_name = 'workspace_id'
    and (select count(*) from information_schema.columns i
         where i.table_schema = 'public' and i.table_name = c.table_name and i.column_name = 'id') = $1`;

const PASSWORD = "a long password";
const DAY_MS = 86_400_000;

/** Makes a workspace with its owner by signing up, and at least one row in every table. */
export async function fillWorkspace(service: TestService, name: string): Promise<Side> {
  const email = `${newId()}@example.org`;
  const person = { email, password: PASSWORD };
  const session = sessionOf(await postAuth(service, "sign-up", { ...person, workspace_name: name }));
  const owner = { workspaceId: session.workspace_id, ownerId: session.user.id };
  const made = await Promise.all(
    KEY_KINDS.map(async (kind) => [kind, await addKey(service.databaseUrl, { ...owner, kind })] as const),
  );
  const keys = z.record(z.enum(KEY_KINDS), z.string()).parse(Object.fromEntries(made));
  const api = apiOf(service, keys.envelope);
  const agent = await createAgent(api, { tools: ["request_approval"], config: { requires_approval: [] } });
  await consoleOf(service, keys.envelope).call("PUT", "/provider-keys/openai", { body: { api_key: `sk-${newId()}` } });
  await seedTenantTables(service.databaseUrl, { workspaceId: owner.workspaceId, agentId: agent.id });
  await taskInState(api, { agentId: agent.id, status: "completed", description: QUICK });
  const team = await createTeam(api, { config: { steps: [{ agent_id: agent.id }] } });
  // Longer than the probes take, however busy the machine is.
  const description = callOf("request_approval", { title: "Go?", timeoutMs: DAY_MS });
  const task = await taskInState(api, { agentId: agent.id, status: "waiting_for_input", description });
  const { interaction } = z
    .looseObject({ interaction: z.looseObject({ interactionId: z.string() }) })
    .parse((await api.get(`/api-tasks?id=${task.id}`)).body);
  return {
    workspaceId: owner.workspaceId,
    keys,
    token: session.access_token,
    things: {
      ...(await oneOfEach(service, owner.workspaceId)),
      agents: agent.id,
      teams: team.id,
      tasks: task.id,
      pendingTask: (await createTask(api)).id,
      sessions: await idFrom(service, "select id from sessions where user_id = $1", owner.ownerId),
      members: owner.ownerId,
      workspaces: owner.workspaceId,
      interaction: interaction.interactionId,
      workspaceName: name,
      email,
      password: PASSWORD,
      cookie: session.cookie,
    },
  };
}

/** Ids that do not exist, in the format of these. */
export function unknownIds(things: ResourceIds): ResourceIds {
  return Object.fromEntries(
    Object.entries(things).map(([name, value]) => {
      if (z.uuid().safeParse(value).success) return [name, newId()];
      return [name, name === "email" ? `${newId()}@example.org` : "?".repeat(value.length)];
    }),
  );
}

/** What a workspace holds: all its rows, its people, their sessions, and its runs in the queues. */
export async function rowsOf({ databaseUrl }: TestService, { workspaceId }: Side): Promise<readonly string[]> {
  const tables = await Promise.all([0, 1].map((ids) => sql<{ name: string }>(databaseUrl, TABLES, [ids])));
  // The service itself adds the ends of runs to sums.
  const counted = new Set(["request_counts", "run_ends", "period_sums"]);
  const selects = tables
    .flat()
    .filter(({ name }) => !counted.has(name))
    .map(
      ({ name }) => `select '${name} ' || (to_jsonb(t) - 'last_used_at')::text from ${name} t where workspace_id = $1`,
    );
  const mine = "(select user_id from members where workspace_id = $1)";
  const text = [
    ...selects,
    "select 'workspaces ' || to_jsonb(w)::text from workspaces w where id = $1",
    `select 'users ' || to_jsonb(u)::text from users u where id in ${mine}`,
    `select 'sessions ' || (to_jsonb(s) - 'last_used_at')::text from sessions s where user_id in ${mine}`,
    `select 'jobs ' || subject_id || ' ' || state from jobs where workspace_id = $1`,
  ].join(" union all ");
  const rows = await sql<{ row: string }>(databaseUrl, `select row from (${text}) as all_rows (row) order by 1`, [
    workspaceId,
  ]);
  return rows.map(({ row }) => row);
}

/** The part of an answer that must not depend on whether another workspace has the named records. */
export function visible({ status, text, headers }: Answer, named: ResourceIds): unknown {
  const replaced = Object.entries(named).reduce((body, [name, value]) => body.replaceAll(value, `<${name}>`), text);
  const body = replaced.replace(/"request_id":"[^"]*"/, "").replace(/"timestamp":"[^"]*"/, "");
  return { status, body, names: [...headers.keys()].filter((name) => name !== "date").toSorted() };
}

/** The headers of a request to a surface that the owner of a workspace may make, by what they hold. */
export function credentialsFor(path: string, { keys, token }: Side, anon: string): readonly Record<string, string>[] {
  if (path === "/a2a" || path.startsWith("/a2a/")) return [keys.a2a, keys["ag-ui"], token].map(bearer);
  if (path.startsWith("/ag-ui/")) return [keys["ag-ui"], keys.a2a, keys.envelope, token].map(bearer);
  if (path === "/mcp") return [bearer(keys.mcp), bearer(token)];
  if (path.startsWith("/v1/")) return [bearer(keys.envelope), bearer(token)];
  if (path.startsWith("/rest/v1/")) {
    const own = { apikey: keys.table, ...bearer(keys.table) };
    return [...[keys.table, token].map((key) => ({ apikey: anon, ...bearer(key) })), own];
  }
  if (path.startsWith("/auth/")) return [bearer(token)];
  return [{ "x-api-key": keys.envelope }, bearer(token)];
}

/** The headers of requests to a surface that no caller may make. */
export function wrongCredentialsFor(path: string, { keys }: Side, anon: string): readonly Record<string, string>[] {
  const others = (...right: readonly KeyKind[]) =>
    KEY_KINDS.filter((kind) => !right.includes(kind)).map((kind) => keys[kind]);
  if (path === "/a2a" || path.startsWith("/a2a/")) {
    return [{}, { "x-api-key": keys.a2a }, ...[anon, ...others("ag-ui", "a2a")].map(bearer)];
  }
  if (path.startsWith("/ag-ui/")) {
    return [{}, { "x-api-key": keys["ag-ui"] }, ...[anon, ...others("ag-ui", "a2a", "envelope")].map(bearer)];
  }
  if (path.startsWith("/v1/")) {
    return [{}, { "x-api-key": keys.envelope }, ...[anon, ...others("envelope")].map(bearer)];
  }
  if (path === "/mcp") return [{}, { "x-api-key": keys.mcp }, ...[anon, ...others("mcp")].map(bearer)];
  if (path.startsWith("/rest/v1/")) {
    const bearers = [anon, ...others("table")].map((key) => ({ apikey: anon, ...bearer(key) }));
    return [{}, { apikey: anon }, bearer(keys.table), ...bearers];
  }
  const asKeys = path.startsWith("/auth/") ? KEY_KINDS.map((kind) => keys[kind]) : others("envelope");
  const bearers = [anon, ...KEY_KINDS.map((kind) => keys[kind])].map(bearer);
  return [{}, ...[anon, ...asKeys].map((key) => ({ "x-api-key": key })), ...bearers];
}

async function oneOfEach({ databaseUrl }: TestService, workspaceId: string): Promise<ResourceIds> {
  const tables = await sql<{ name: string }>(databaseUrl, TABLES, [1]);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql<{ id: string }>(databaseUrl, `select id from ${name} where workspace_id = $1`, [
        workspaceId,
      ]);
      return [name, rows[0]?.id ?? ""] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, id]) => id !== ""));
}

async function idFrom({ databaseUrl }: TestService, text: string, value: string): Promise<string> {
  const [row] = await sql<{ id: string }>(databaseUrl, text, [value]);
  return row?.id ?? "";
}
