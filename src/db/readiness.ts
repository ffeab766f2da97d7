import type { Database } from "./database.ts";
import { latestVersion } from "./migrate.ts";

const ANSWER_MS = 2_000;
const READ = "select coalesce(max(version), 0) as version from public.schema_migrations";

/**
 * Why the service cannot work with its database: it does not answer in time, or its schema is older than this program,
 * as after restoring an old backup; undefined when it can. A newer schema means that an upgrade is in progress.
 */
export async function findDatabaseProblem(db: Database): Promise<"database" | "schema" | undefined> {
  try {
    const statement = { text: READ, values: [], timeoutMs: ANSWER_MS };
    const [row] = await db.transaction((tx) => tx.queryOnce<{ version: number }>(statement));
    return row !== undefined && row.version >= (await latestVersion()) ? undefined : "schema";
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "42P01";
    return isMissing ? "schema" : "database";
  }
}
