import type { Client } from "pg";
import { sidesOf } from "./check-tables.ts";
import type { Sides } from "./check-tables.ts";
import { fillWorkspace } from "./side.ts";
import type { Filling, Side } from "./side.ts";

const NAMES = ["Scratch of muster doctor", "Another scratch of muster doctor"] as const;

/** Fills two workspaces in a transaction that is rolled back at the end: nobody else ever sees them. */
export async function inScratch<T>(client: Client, check: (sides: Sides) => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const [own, other] = await fillBoth(client, "all");
    return await check(await sidesOf(client, own.workspaceId, other.workspaceId));
  } finally {
    await client.query("rollback");
  }
}

/** Fills two workspaces that a running service has; {@link removeScratch} removes them. */
export async function addScratch(client: Client): Promise<readonly [Side, Side]> {
  await client.query("begin");
  try {
    const sides = await fillBoth(client, "lasting");
    await client.query("commit");
    return sides;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

async function fillBoth(client: Client, rows: Filling["rows"]): Promise<readonly [Side, Side]> {
  const [first, second] = NAMES;
  return [await fillWorkspace(client, { name: first, rows }), await fillWorkspace(client, { name: second, rows })];
}
