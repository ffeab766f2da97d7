/** What schedules cost: CPU of the service and its database in a minute, with a thousand of them, against an idle one. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { z } from "zod";
import { treeCpuMs } from "./lib/cpu.ts";
import { percentile } from "./lib/percentile.ts";
import type { Stage } from "./lib/stage.ts";

const SCHEDULES = 1_000;
const AT_ONCE = 8;
const MINUTE_MS = 60_000;
/** Before CPU is counted. */
const SETTLE_MS = 2_000;
/** The directive that makes a run of the demo model end immediately. */
const QUICK = "[[slow:0]][[say:done]]";

/** CPU in a minute, in milliseconds. */
export interface CpuMinute {
  readonly service: number;
  readonly database: number;
}

/** What {@link measureSchedules} finds. */
export interface ScheduleRound {
  readonly idle: CpuMinute;
  /** With schedules of which none fires. */
  readonly quiet: CpuMinute;
  /** With schedules that all fire in that minute, with the runs of their tasks. */
  readonly firing: CpuMinute;
  /** With as many tasks that were posted instead. */
  readonly posted: CpuMinute;
  /** How long after their time the tasks were made, in milliseconds. */
  readonly lateP50: number;
  readonly lateP99: number;
}

/** Watches a minute of an idle service, one with schedules at rest, one in which all fire, and one of posted tasks. */
export async function measureSchedules(stage: Stage): Promise<ScheduleRound> {
  const database = new Client({ connectionString: stage.databaseUrl });
  await database.connect();
  try {
    const agent = await stage.call("POST", "/functions/v1/api-agents", { name: "A", model: "demo" });
    const idle = await minuteOf(stage);
    const template = { name: "S", cron: "0 0 1 1 *", assigned_agent_id: agent.id, title: "T", description: QUICK };
    await inTurns(async () => void (await stage.call("POST", "/console/api/schedules", template)));
    const quiet = await minuteOf(stage);
    const posted = await minuteOf(stage, () => {
      const task = { title: "T", description: QUICK, assigned_agent_id: agent.id };
      return inTurns(async () => void (await stage.call("POST", "/functions/v1/api-tasks", task)));
    });
    const time = new Date(Math.ceil(Date.now() / MINUTE_MS + 0.1) * MINUTE_MS);
    const hourly =
      "update schedules set cron = $1, next_times = array[$2::timestamptz, $2::timestamptz + interval '1 hour']";
    await database.query(hourly, [`${time.getUTCMinutes()} * * * *`, time]);
    await sleep(time.getTime() - Date.now() - SETTLE_MS - 1_000);
    const firing = await minuteOf(stage);
    const late = z
      .array(z.object({ ms: z.coerce.number() }))
      .length(SCHEDULES)
      .parse((await database.query("select late_ms as ms from schedule_fire_records")).rows);
    await database.query("delete from schedules");
    const [lateP50, lateP99] = [50, 99].map((share) =>
      percentile(
        late.map(({ ms }) => ms),
        share,
      ),
    );
    return { idle, quiet, firing, posted, lateP50: lateP50 ?? Number.NaN, lateP99: lateP99 ?? Number.NaN };
  } finally {
    await database.end();
  }
}

async function minuteOf(stage: Stage, work?: () => Promise<void>): Promise<CpuMinute> {
  await sleep(SETTLE_MS);
  const cpu = () => ({ service: treeCpuMs(stage.servicePid), database: treeCpuMs(stage.postgresPid) });
  const before = cpu();
  await Promise.all([sleep(MINUTE_MS), work?.()]);
  const after = cpu();
  return { service: after.service - before.service, database: after.database - before.database };
}

async function inTurns(work: () => Promise<void>): Promise<void> {
  let left = SCHEDULES;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await work();
    }),
  );
}
