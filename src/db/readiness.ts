import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { latestVersion } from "./migrate.ts";

/** Load balancers wait for a few seconds; getting a connection counts. */
const ANSWER_MS = 1_800;
/** Reads nothing: no workspace has this id. */
const NO_WORKSPACE = { workspaceId: "00000000-0000-0000-0000-000000000000", role: "viewer" } as const;
const READ = "select coalesce(max(version), 0) as version from public.schema_migrations";

/**
 * Why requests cannot be served: `pooler` when only their connections get no answer, which may lead through a pooler;
 * undefined when they can. Answers within two seconds.
 */
export async function findRequestProblem(db: Database): Promise<"database" | "schema" | "pooler" | undefined> {
  const statement = { text: "select 1", values: [], timeoutMs: ANSWER_MS };
  const asked = db
    .inWorkspace(NO_WORKSPACE, (tx) => tx.queryOnce(statement))
    .then(
      () => undefined,
      () => "pooler" as const,
    );
  const [problem, requestProblem] = await Promise.all([
    inTime(findDatabaseProblem(db), "database"),
    inTime(asked, "pooler"),
  ]);
  return problem ?? requestProblem;
}

function inTime<T, const Late>(answer: Promise<T>, late: Late): Promise<T | Late> {
  return Promise.race([answer, sleep(ANSWER_MS, late, { ref: false })]);
}

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
