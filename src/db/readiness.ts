import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#lib/error-code.ts";
import type { Database } from "./database.ts";
import { latestVersion } from "./migration/files.ts";

/** Load balancers wait for a few seconds; getting a connection counts. */
const ANSWER_MS = 1_800;
/** Reads nothing: no workspace has this id. */
const NO_WORKSPACE = { workspaceId: "00000000-0000-0000-0000-000000000000", role: "viewer" } as const;
const READ = "select coalesce(max(version), 0) as version from public.schema_migrations";

/** What keeps a process from its work; see {@link findProblems}. */
export type DatabaseProblem = "database" | "schema" | "pooler" | "writer";

/**
 * Why requests cannot be served: `database` and `schema` as {@link findDatabaseProblem}; otherwise `pooler` when their
 * connections get no answer, which may lead through a pooler, and `writer` when what runs write cannot be stored.
 * Answers within two seconds.
 * @param probeWriter resolves when something was written as runs write
 */
export async function findProblems(
  db: Database,
  probeWriter: () => Promise<unknown>,
): Promise<readonly DatabaseProblem[]> {
  const statement = { text: "select 1", values: [], timeoutMs: ANSWER_MS };
  const [problem, ...others] = await Promise.all([
    inTime(findDatabaseProblem(db), "database"),
    unlessInTime(
      db.inWorkspace(NO_WORKSPACE).transaction((tx) => tx.queryOnce(statement)),
      "pooler",
    ),
    unlessInTime(probeWriter(), "writer"),
  ]);
  return problem === undefined ? others.filter((other) => other !== undefined) : [problem];
}

function unlessInTime<const Problem>(work: Promise<unknown>, problem: Problem): Promise<Problem | undefined> {
  const outcome = work.then(
    () => undefined,
    () => problem,
  );
  return inTime(outcome, problem);
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
    return codeOf(error) === "42P01" ? "schema" : "database";
  }
}
