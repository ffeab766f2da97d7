import type { LogLevelChange } from "#domain/access/instance.ts";
import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

const KEY = "log_level";

const SET = statement({
  name: "set-log-level",
  text: `
    with set as (
      insert into instance_settings (key, value)
      values ('${KEY}', jsonb_build_object('level', $1::text, 'process', $3::text,
        'until', clock_timestamp() + make_interval(mins => $2))::text)
      on conflict (key) do update set value = excluded.value, updated_at = now() returning value
    )
    select iso((s.value::jsonb->>'until')::timestamptz) as until, pg_notify('muster_log_level', '') as told from set s`,
});

/** Sets the log level of processes, which are told; returns until when, in ISO 8601. */
export async function setLogLevel(db: Queries, { level, minutes, process }: LogLevelChange): Promise<string> {
  const [row] = await db.query<{ until: string | null }>(SET, [level, minutes, process]);
  return row?.until ?? "";
}

const READ = statement({
  name: "read-log-level",
  text: `
    select s.value::jsonb->>'level' as level, s.value::jsonb->>'process' as process,
      iso((s.value::jsonb->>'until')::timestamptz) as until,
      (extract(epoch from (s.value::jsonb->>'until')::timestamptz - clock_timestamp()) * 1000)::double precision as "leftMs"
    from instance_settings s where s.key = '${KEY}'`,
});

/** A level that was set at run time. */
export interface TemporaryLevel {
  readonly level: string | null;
  /** The name of the process that it is for; null: all. */
  readonly process: string | null;
  /** When it ends, in ISO 8601. */
  readonly until: string | null;
  /** How long it lasts, in milliseconds; 0 or less when it is over. */
  readonly leftMs: number | null;
}

/** Reads the newest level that was set; undefined when there was none. */
export async function readLogLevel(db: Queries): Promise<TemporaryLevel | undefined> {
  return (await db.query<TemporaryLevel>(READ))[0];
}
