import type { Database } from "../../database.ts";
import { isUuid } from "#lib/ids.ts";
import { statement } from "../../statement.ts";

const PROCESSES = statement({
  name: "doctor-processes",
  text: `
    select e.host || ':' || e.pid as name,
      extract(epoch from clock_timestamp() - e.beat_at)::double precision as "silentSeconds"
    from executors e order by 1`,
});

/** A process that runs jobs. */
export interface ProcessFacts {
  /** Its host and process id. */
  readonly name: string;
  /** Since its last sign of life. */
  readonly silentSeconds: number;
}

/** Reads the registered processes. */
export function readProcesses(db: Database): Promise<readonly ProcessFacts[]> {
  return db.query<ProcessFacts>(PROCESSES);
}

const LOST = statement({
  name: "doctor-lost-mcp-accounts",
  text: `select name from mcp_accounts where status = 'lost' group by name order by name`,
});

/** The names of MCP servers with an account that must be connected again. */
export async function serversWithLostAccounts(db: Database): Promise<readonly string[]> {
  return (await db.query<{ name: string }>(LOST)).map(({ name }) => name);
}

const UNKNOWN = statement({
  name: "doctor-unknown-workspaces",
  text: `
    select given.name from unnest($1::text[], $2::uuid[]) given (name, id)
    left join workspace_slugs s on s.slug = given.name
    where not exists (select from workspaces w where w.id = coalesce(s.workspace_id, given.id) and w.deleted_at is null)
    order by given.name`,
});

/** Which of these are neither a slug, current or former, nor the id of a workspace. */
export async function unknownWorkspaces(db: Database, names: readonly string[]): Promise<readonly string[]> {
  const ids = names.map((name) => (isUuid(name) ? name : null));
  return (await db.query<{ name: string }>(UNKNOWN, [names, ids])).map(({ name }) => name);
}

const ORPHANED = statement({
  name: "doctor-orphaned-jobs",
  text: `
    select count(*)::integer as jobs from jobs j
    where j.state = 'running' and not exists (select from executors e where e.id = j.executor_id)`,
});

/** Counts the jobs that no registered process runs though they are claimed. */
export async function countOrphanedJobs(db: Database): Promise<number> {
  const [row] = await db.query<{ jobs: number }>(ORPHANED);
  return row?.jobs ?? 0;
}
