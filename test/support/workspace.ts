import { Pool } from "pg";
import type { QueryResultRow } from "pg";
import { displayPrefix, generateKey, hashKey } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import type { Transaction } from "#db/database.ts";
import type { StatementOf } from "#db/statement.ts";
import { createWorkspace, insertKey } from "#db/queries/access/first-start.ts";
import type { Plan } from "#domain/access/plan.ts";
import type { Role } from "#domain/access/role.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf } from "./api.ts";

/** A workspace with its owner and an envelope key. */
export interface TestWorkspace {
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly key: string;
}

/** What a key may differ in from a usual one. */
export interface KeyOptions {
  readonly kind?: KeyKind;
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
}

/** Adds a workspace to a service; also returns its envelope API and its console API, as its owner calls them. */
export async function openWorkspace(service: { readonly url: string; readonly databaseUrl: string }) {
  const workspace = await addWorkspace(service.databaseUrl);
  return { ...workspace, api: apiOf(service, workspace.key), console: consoleOf(service, workspace.key) };
}

/** Adds a workspace directly in the database, as an operator would. */
export async function addWorkspace(databaseUrl: string, plan: Plan = "free"): Promise<TestWorkspace> {
  const workspaceId = newId();
  const ownerId = newId();
  await createWorkspace(asOperator(databaseUrl), {
    workspaceId,
    name: "Another workspace",
    plan,
    ownerId,
    email: `${ownerId}@localhost.localdomain`,
    ownerName: "Another owner",
    passwordHash: null,
  });
  return { workspaceId, ownerId, key: await addKey(databaseUrl, { workspaceId, ownerId }) };
}

/** A member of a workspace with an envelope key. */
export interface TestMember {
  readonly userId: string;
  readonly key: string;
}

/** Makes one more person with a role in a workspace. */
export async function addMember(databaseUrl: string, workspaceId: string, role: Role): Promise<TestMember> {
  const userId = newId();
  await sql(
    databaseUrl,
    `with person as (insert into users (id, email, name) values ($1, $2, $3) returning id)
     insert into members (workspace_id, user_id, role) select $4, id, $3 from person`,
    [userId, `${userId}@localhost.localdomain`, role, workspaceId],
  );
  return { userId, key: await addKey(databaseUrl, { workspaceId, ownerId: userId }) };
}

/** Makes one more key for a workspace and returns its text. */
export async function addKey(
  databaseUrl: string,
  of: { readonly workspaceId: string; readonly ownerId: string } & KeyOptions,
): Promise<string> {
  const { workspaceId, ownerId, kind = "envelope", scopes = ["read", "write"], expiresAt = null } = of;
  const key = generateKey(kind);
  const stored = { keyHash: hashKey(key), prefix: displayPrefix(key), label: "Test key", kind, scopes, expiresAt };
  await insertKey(asOperator(databaseUrl), { id: newId(), workspaceId, createdBy: ownerId, ...stored });
  return key;
}

/** How long a connection is kept for the next statement: on a new one, most take ten times as long. */
const IDLE_MS = 60_000;
const pools = new Map<string, Pool>();

/** Runs one statement as the operator of the database, without row-level security. Leave no session settings. */
export async function sql<Row extends QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(databaseUrl).query<Row>(text, [...values])).rows;
}

/** Runs the service's own statements in the same way. */
function asOperator(databaseUrl: string): Pick<Transaction, "query"> {
  return {
    async query<Row extends object>({ name, text }: StatementOf<Row>, values: readonly unknown[] = []) {
      return (await poolOf(databaseUrl).query<Row & QueryResultRow>({ name, text, values: [...values] })).rows;
    },
  };
}

function poolOf(databaseUrl: string): Pool {
  const known = pools.get(databaseUrl);
  if (known !== undefined) return known;
  const url = new URL(databaseUrl);
  // A name of the service's own would count as one of its processes.
  url.searchParams.set("application_name", "tests");
  const pool = new Pool({ connectionString: url.href, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true });
  // Of an idle connection, as when its database is dropped; one that breaks within a query fails that, too.
  pool.on("error", () => undefined);
  pools.set(databaseUrl, pool);
  return pool;
}
