import { expect, test } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { AppError } from "../errors.ts";
import { timesAfter, nextTimes, dueTimes } from "./cron.ts";

const BERLIN = "Europe/Berlin";

function after(cron: string, time_zone: string, moment: string, count = 5): string[] {
  const times = timesAfter({ cron, time_zone }, new Date(moment));
  return times.slice(0, count).map((time) => time.toISOString().replace(".000Z", "Z"));
}

const NEXT = [
  {
    name: "a pattern is one of its time zone",
    times: after("0 9 * * 1-5", BERLIN, "2026-11-20T12:00:00Z", 2),
    are: ["2026-11-23T08:00:00Z", "2026-11-24T08:00:00Z"],
  },
  {
    name: "a sixth field in front is of seconds",
    times: after("*/20 * * * * *", "UTC", "2026-11-20T12:00:00Z", 3),
    are: ["2026-11-20T12:00:20Z", "2026-11-20T12:00:40Z", "2026-11-20T12:01:00Z"],
  },
  {
    name: "names stand for usual patterns",
    times: after("@daily", "America/New_York", "2026-11-20T12:00:00Z", 1),
    are: ["2026-11-21T05:00:00Z"],
  },
  {
    name: "a daily time keeps its hour when the clocks go forward",
    times: after("0 9 * * *", BERLIN, "2026-03-27T12:00:00Z", 3),
    are: ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"],
  },
  {
    name: "a daily time that the clocks jump over comes right after the jump, on the same day",
    times: after("30 2 * * *", BERLIN, "2026-03-28T12:00:00Z", 2),
    are: ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"],
  },
  {
    name: "a daily time that comes twice when the clocks go back is used once, the first time",
    times: after("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2),
    are: ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
  },
  {
    name: "what comes every half hour continues through the hour that comes twice",
    times: after("*/30 * * * *", BERLIN, "2026-10-24T23:45:00Z", 5),
    are: [
      "2026-10-25T00:00:00Z",
      "2026-10-25T00:30:00Z",
      "2026-10-25T01:00:00Z",
      "2026-10-25T01:30:00Z",
      "2026-10-25T02:00:00Z",
    ],
  },
  {
    name: "and leaves out the hour that is not there",
    times: after("*/30 * * * *", "America/New_York", "2026-03-08T06:15:00Z", 3),
    are: ["2026-03-08T06:30:00Z", "2026-03-08T07:00:00Z", "2026-03-08T07:30:00Z"],
  },
  {
    name: "half an hour's change of Lord Howe is understood",
    times: after("0 12 * * *", "Australia/Lord_Howe", "2026-04-03T12:00:00Z", 2),
    are: ["2026-04-04T01:00:00Z", "2026-04-05T01:30:00Z"],
  },
  {
    name: "days that few years have are found",
    times: after("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", 2),
    are: ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"],
  },
];

for (const { name, times, are } of NEXT) {
  verifies("schedules.time-zone", name, () => {
    expect(times).toEqual(are);
  });
}

test.each([
  ["x", "UTC", "cron is not a valid cron expression"],
  ["* * * *", "UTC", "cron is not a valid cron expression"],
  ["* * * * * * *", "UTC", "cron is not a valid cron expression"],
  ["2030-01-01T00:00:00", "UTC", "cron is not a valid cron expression"],
  ["99 * * * *", "UTC", "cron is not a valid cron expression"],
  ["@reboot", "UTC", "cron is not a valid cron expression"],
  ["0 0 30 2 *", "UTC", "cron: never fires"],
  ["* * * * *", "Mars/Base", "time_zone is not a known time zone"],
])("%s in %s is rejected", (cron, time_zone, message) => {
  expect(() => timesAfter({ cron, time_zone }, new Date())).toThrow(AppError);
  expect(() => timesAfter({ cron, time_zone }, new Date())).toThrow(message);
});

const HOURLY = { cron: "0 * * * *", time_zone: BERLIN };
const at = (time: string) => new Date(`2026-10-24T${time}Z`);

test("the due times are the known ones while a known one is still in the future", () => {
  const known = timesAfter(HOURLY, at("10:30:00"));
  expect(dueTimes(HOURLY, known, at("10:59:59"))).toEqual([]);
  expect(dueTimes(HOURLY, known, at("11:00:00"))).toEqual([at("11:00:00")]);
  expect(dueTimes(HOURLY, known, at("12:30:00"))).toEqual([at("11:00:00"), at("12:00:00")]);
});

test("after a long absence they are all times since, also across a clock change", () => {
  const known = timesAfter(HOURLY, at("10:30:00"));
  const until = new Date("2026-10-26T00:00:00Z");
  const come = dueTimes(HOURLY, known, until);
  const hours = (until.getTime() - at("11:00:00").getTime()) / 3_600_000 + 1;
  expect(come.length).toBe(hours);
  expect([come[0], come.at(-1)]).toEqual([at("11:00:00"), until]);
});

test("of more than a hundred they are the newest hundred", () => {
  const known = timesAfter(HOURLY, at("10:30:00"));
  const come = dueTimes(HOURLY, known, new Date("2026-12-24T00:00:00Z"));
  expect(come.length).toBe(100);
  expect(come.at(-1)).toEqual(new Date("2026-12-24T00:00:00Z"));
});

test("the next times are always five, and never one that has passed", () => {
  const known = timesAfter(HOURLY, at("10:30:00"));
  for (const now of ["10:59:00", "11:00:00", "13:30:00", "23:30:00"]) {
    expect(nextTimes(HOURLY, known, at(now))).toEqual(timesAfter(HOURLY, at(now)));
  }
});
