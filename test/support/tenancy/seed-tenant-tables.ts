import { Client } from "pg";
import { newId } from "#lib/ids.ts";
import { seedTables } from "#tenancy/seeds.ts";

/** Puts a row of a workspace into each table, beside what it has; call it once per workspace. */
export async function seedTenantTables(databaseUrl: string, workspaceId: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const text = "select user_id as id from members where workspace_id = $1 and role = 'owner'";
    const { rows } = await client.query<{ id: string }>(text, [workspaceId]);
    const runs = { doneTask: newId(), waitingTask: newId(), pendingTask: newId(), interactionId: newId() };
    const ids = { workspaceId, ownerId: rows[0]?.id ?? "", agentId: newId(), teamId: newId(), ...runs };
    await seedTables(client, { ...ids, rows: "all" });
  } finally {
    await client.end();
  }
}
