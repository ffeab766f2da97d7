import type { Client } from "pg";
import { KEY_KINDS, KEY_SCOPES, displayPrefix, generateKey, generateToken, hashKey } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import { createWorkspace, insertKey } from "#db/queries/access/first-start.ts";
import { queriesOn } from "#db/rows-on-client.ts";
import { newId } from "#lib/ids.ts";
import { hashPassword } from "#lib/security/password.ts";
import { scratchEmail } from "./probe-shapes.ts";
import type { ResourceIds } from "./probe-shapes.ts";
import { seedTables } from "./seeds.ts";
import { tenantTables } from "./tenant-tables.ts";

/** A workspace with a row in every table, and all that opens it. */
export interface Side {
  readonly workspaceId: string;
  readonly things: ResourceIds;
  readonly keys: Readonly<Record<KeyKind, string>>;
  /** The access token of its owner; undefined before the sign-in. */
  readonly token?: string;
}

/** Which rows are made. */
export interface Filling {
  readonly name: string;
  /** all: also those that a running service takes, which must never be committed. */
  readonly rows: "all" | "lasting";
}

/**
 * Makes a scratch workspace in the transaction of a connection: its owner, a key of each kind, and a row in every table.
 * It is paused, so that no run starts in it; its agent has the offline model, and its routes and schedules are off.
 */
export async function fillWorkspace(client: Client, { name, rows }: Filling): Promise<Side> {
  const ids = { workspaceId: newId(), ownerId: newId(), agentId: newId(), teamId: newId() };
  const runs = { doneTask: newId(), waitingTask: newId(), pendingTask: newId(), interactionId: newId() };
  const person = { email: scratchEmail(), password: generateToken() };
  await createPaused(client, { ...ids, name, ...person });
  const keys = await addKeys(client, ids);
  await seedTables(client, { ...ids, ...runs, rows });
  return {
    workspaceId: ids.workspaceId,
    keys,
    things: {
      ...(await oneOfEach(client, ids.workspaceId)),
      agents: ids.agentId,
      teams: ids.teamId,
      tasks: runs.waitingTask,
      pendingTask: runs.pendingTask,
      members: ids.ownerId,
      workspaces: ids.workspaceId,
      interaction: runs.interactionId,
      workspaceName: name,
      ...person,
    },
  };
}

interface Owned {
  readonly workspaceId: string;
  readonly ownerId: string;
}

async function createPaused(
  client: Client,
  { password, ...owner }: Owned & { readonly name: string; readonly email: string; readonly password: string },
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await createWorkspace(queriesOn(client), { ...owner, ownerName: owner.name, plan: "enterprise", passwordHash });
  await client.query("update workspaces set paused = true where id = $1", [owner.workspaceId]);
}

async function addKeys(client: Client, { workspaceId, ownerId: createdBy }: Owned): Promise<Side["keys"]> {
  const keys = {
    envelope: generateKey("envelope"),
    table: generateKey("table"),
    mcp: generateKey("mcp"),
    a2a: generateKey("a2a"),
    "ag-ui": generateKey("ag-ui"),
  } as const satisfies Side["keys"];
  for (const kind of KEY_KINDS) {
    const stored = { keyHash: hashKey(keys[kind]), prefix: displayPrefix(keys[kind]), label: kind, kind };
    const rest = { scopes: [...KEY_SCOPES], expiresAt: null };
    await insertKey(queriesOn(client), { id: newId(), workspaceId, createdBy, ...stored, ...rest });
  }
  return keys;
}

/** The id of one row of each table that has ids. */
async function oneOfEach(client: Client, workspaceId: string): Promise<ResourceIds> {
  const found: [string, string][] = [];
  for (const table of await tenantTables(client)) {
    if (!table.hasId) continue;
    const text = `select id::text as id from ${table.name} where workspace_id = $1 limit 1`;
    const { rows } = await client.query<{ id: string }>(text, [workspaceId]);
    for (const { id } of rows) found.push([table.name, id]);
  }
  return Object.fromEntries(found);
}
