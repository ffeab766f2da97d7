import { expect, test } from "vitest";
import { timesAfter } from "./cron.ts";
import { planFires, scheduleCreate } from "./schedule.ts";
import type { MissedPolicy, OverlapPolicy } from "./schedule.ts";

const HOURLY = { cron: "0 * * * *", time_zone: "UTC" };
const at = (time: string) => new Date(`2026-11-20T${time}Z`);

/** Plans the hours from 11 on, in short: hours that are fired | missed | overlapping. */
function planned(now: string, policy: { missed?: MissedPolicy; overlap?: OverlapPolicy; isBusy?: boolean }): string {
  const nextTimes = timesAfter(HOURLY, at("10:30:00"));
  const defaults = { missed: "once", overlap: "allow", isBusy: false, logged: [at("16:00:00")] } as const;
  const { fired, missed, overlapping } = planFires({ ...HOURLY, nextTimes, ...defaults, ...policy }, at(now));
  return [fired, missed, overlapping].map((times) => times.map((time) => time.getUTCHours()).join(" ")).join(" | ");
}

test.each([
  ["11:00:00", {}, "11 |  | "],
  ["11:00:59", { missed: "skip" }, "11 |  | "],
  ["11:02:00", { missed: "skip" }, " | 11 | "],
  ["11:02:00", { missed: "once" }, "11 |  | "],
  ["13:30:00", { missed: "skip" }, " | 11 12 13 | "],
  ["13:30:00", { missed: "once" }, "13 | 11 12 | "],
  ["13:30:00", { missed: "all" }, "11 12 13 |  | "],
  ["13:00:30", { missed: "skip" }, "13 | 11 12 | "],
  ["13:00:30", { missed: "once" }, "13 | 11 12 | "],
  ["13:00:30", { missed: "all" }, "11 12 13 |  | "],
  ["11:00:00", { overlap: "skip" }, "11 |  | "],
  ["11:00:00", { overlap: "skip", isBusy: true }, " |  | 11"],
  ["11:00:00", { overlap: "allow", isBusy: true }, "11 |  | "],
  ["13:30:00", { missed: "all", overlap: "skip" }, "13 |  | 11 12"],
  ["13:30:00", { missed: "once", overlap: "skip", isBusy: true }, " | 11 12 | 13"],
  // It fired at 16 before the clock was set back.
  ["16:00:00", { missed: "skip" }, " | 11 12 13 14 15 | "],
  ["16:00:00", { missed: "all" }, "11 12 13 14 15 |  | "],
] as const)("at %s with %j: %s", (now, policy, expected) => {
  expect(planned(now, policy)).toBe(expected);
});

test("a schedule has an agent or a team, and its defaults", () => {
  const given = { name: "N", cron: "* * * * *", title: "T" };
  const id = "01940000-0000-7000-8000-000000000000";
  expect(scheduleCreate.parse({ ...given, assigned_agent_id: id })).toEqual({
    ...given,
    assigned_agent_id: id,
    time_zone: "UTC",
    missed: "once",
    overlap: "allow",
    is_active: true,
    description: "",
    priority: "medium",
    metadata: {},
  });
  expect(scheduleCreate.safeParse(given).success).toBe(false);
  expect(scheduleCreate.safeParse({ ...given, assigned_agent_id: id, assigned_team_id: id }).success).toBe(false);
});
