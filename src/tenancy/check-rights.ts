import type { Client } from "pg";
import { expectedRights, readOpenViews, readRights } from "#db/queries/doctor/rights.ts";
import { queriesOn } from "#db/rows-on-client.ts";

/** What the catalogue says; each returns what was found, in words. */
export const RIGHTS_CHECKS = [
  { name: "rights of roles", find: compareRights },
  { name: "rights of views", find: findOpenViews },
] as const;

async function compareRights(client: Client): Promise<readonly string[]> {
  const [found, expected] = [await readRights(queriesOn(client)), await expectedRights()];
  const extra = found.filter((right) => !expected.includes(right)).map((right) => `not of this version: ${right}`);
  const missing = expected.filter((right) => !found.includes(right)).map((right) => `missing: ${right}`);
  return [...extra, ...missing];
}

async function findOpenViews(client: Client): Promise<readonly string[]> {
  return (await readOpenViews(queriesOn(client))).map((view) => `${view} shows its callers what its owner sees`);
}
