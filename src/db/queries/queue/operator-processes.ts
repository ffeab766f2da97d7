import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

const PROCESSES = statement({
  name: "list-processes",
  text: `
    select e.host || ':' || e.pid as name, e.version, iso(e.started_at) as started_at,
      iso(e.beat_at) as last_beat_at, coalesce(k.executor_id = e.id, false) as is_keeper,
      e.parent_id is not null as is_quarantine,
      (select count(*) from jobs j where j.executor_id = e.id)::integer as jobs
    from executors e cross join keeper k order by e.started_at, e.id`,
});

/** A process of the service. */
export interface ServiceProcess {
  /** Its host and process id. */
  readonly name: string | null;
  /** Null for a version that does not tell it. */
  readonly version: string | null;
  readonly started_at: string | null;
  /** Its last sign of life; after LEASE_MS of silence others take its jobs over. */
  readonly last_beat_at: string | null;
  /** Whether it watches over the others. */
  readonly is_keeper: boolean | null;
  /** Whether it runs the suspects of another process. */
  readonly is_quarantine: boolean | null;
  /** The jobs whose lease it holds. */
  readonly jobs: number | null;
}

/** Lists the registered processes, oldest first. */
export function listProcesses(db: Queries): Promise<ServiceProcess[]> {
  return db.query<ServiceProcess>(PROCESSES);
}
