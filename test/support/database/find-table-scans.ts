import { globSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { z } from "zod";
import { declaredStatements } from "#db/statement.ts";

const DB = join(import.meta.dirname, "../../../src/db");

const planNode = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Cond": z.string().optional(),
  get Plans() {
    return z.array(planNode).optional();
  },
});
/** These read a whole table if they have no condition for an index. */
const WHOLE_SCANS = new Set(["Seq Scan", "Index Scan", "Index Only Scan"]);

type PlanNode = z.output<typeof planNode>;
const explained = z.tuple([z.object({ Plan: planNode })]);

/**
 * Returns the tables that a statement reads as a whole although PostgreSQL is told to avoid it, as `statement: table`.
 * Such a statement has no index for what it asks: it gets slower with each row of any workspace. Statements that a
 * workspace's admins may not execute are left out.
 * @param url a database with the schema of this version
 */
export async function findTableScans(url: string): Promise<readonly string[]> {
  for (const file of globSync("**/*.ts", { cwd: DB })) if (!file.endsWith(".test.ts")) await import(join(DB, file));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set role muster_admin; set enable_seqscan = off; set enable_hashjoin = off");
    await client.query("select set_config('muster.workspace_id', gen_random_uuid()::text, false)");
    const found: string[] = [];
    for (const { name, text } of declaredStatements()) {
      const plan = await explain(client, text);
      if (plan !== undefined) found.push(...scannedTables(plan).map((table) => `${name}: ${table}`));
    }
    return found;
  } finally {
    await client.end();
  }
}

async function explain(client: Client, text: string): Promise<PlanNode | undefined> {
  try {
    const { rows } = await client.query<{ "QUERY PLAN": unknown }>(`explain (generic_plan, format json) ${text}`);
    return explained.parse(rows[0]?.["QUERY PLAN"])[0].Plan;
  } catch (error) {
    const isOfService = error instanceof Error && /permission denied|syntax error/.test(error.message);
    if (isOfService) return undefined;
    throw error;
  }
}

function scannedTables(node: PlanNode): readonly string[] {
  const table = node["Relation Name"];
  const isWhole = WHOLE_SCANS.has(node["Node Type"]) && node["Index Cond"] === undefined;
  const own = isWhole && table !== undefined ? [table] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedTables)];
}
