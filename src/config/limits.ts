import { z } from "zod";
import { NO_LIMIT } from "#domain/access/plan.ts";
import { count } from "./forms.ts";

const requests = (fallback: number) =>
  z
    .union([z.literal("off").transform(() => NO_LIMIT), z.coerce.number().int().min(1).max(1_000_000_000)], {
      error: "is a number of requests, 1 or more, or off",
    })
    .default(fallback);
const quota = (fallback: number | "off", what: string) =>
  z
    .union([z.literal("off").transform(() => null), z.coerce.number().int().min(0).max(1_000_000_000)], {
      error: `is a number of ${what}, or off`,
    })
    .default(fallback === "off" ? null : fallback);

/** Limits of requests. */
export const limits = z.object({
  RATE_LIMIT_FREE: requests(30).describe(
    "Requests a minute of a workspace on the free plan: at the envelope API, and as many by all other ways together; off for no limit.",
  ),
  RATE_LIMIT_PRO: requests(120).describe("On the pro plan."),
  RATE_LIMIT_TEAM: requests(300).describe("On the team plan."),
  RATE_LIMIT_ENTERPRISE: requests(600).describe("On the enterprise plan."),
  RATE_LIMIT_TABLE_MINUTE: requests(500).describe("Requests a minute of a key at the table API; off for no limit."),
  SCHEDULE_MIN_SECONDS: count(60).describe("Minimum seconds between two fires of a schedule."),
  RATE_LIMIT_TABLE_MONTH: requests(50_000).describe("Requests a calendar month (UTC) of a key at the table API."),
  RATE_LIMIT_PERSON: requests(600).describe(
    "Requests a minute of a person who is signed in, in one workspace; of these, only starts of work count against its plan.",
  ),
  STREAMS_PER_KEY: count(1_000).describe("Open streams of one key, or of one person, in one process."),
});

/** Quotas of workspaces, by plan. */
export const quotas = z.object({
  RECORDS_FREE: quota(10_000, "records").describe(
    "Agents, tasks, runs, files and other records of a workspace on the free plan; off for no limit.",
  ),
  RECORDS_PRO: quota(200_000, "records").describe("On the pro plan."),
  RECORDS_TEAM: quota(2_000_000, "records").describe("On the team plan."),
  RECORDS_ENTERPRISE: quota("off", "records").describe("On the enterprise plan."),
  STORED_MIB_FREE: quota(500, "MiB").describe(
    "MiB of files and documents of a workspace on the free plan; off for no limit.",
  ),
  STORED_MIB_PRO: quota(10_240, "MiB").describe("On the pro plan."),
  STORED_MIB_TEAM: quota(102_400, "MiB").describe("On the team plan."),
  STORED_MIB_ENTERPRISE: quota("off", "MiB").describe("On the enterprise plan."),
  SCHEDULES_FREE: quota(10, "schedules").describe("Schedules of a workspace on the free plan; off for no limit."),
  SCHEDULES_PRO: quota(100, "schedules").describe("On the pro plan."),
  SCHEDULES_TEAM: quota(500, "schedules").describe("On the team plan."),
  SCHEDULES_ENTERPRISE: quota(2_000, "schedules").describe("On the enterprise plan."),
  ALERTS_FREE: quota(10, "alerts").describe("Alerts of a workspace on the free plan; off for no limit."),
  ALERTS_PRO: quota(50, "alerts").describe("On the pro plan."),
  ALERTS_TEAM: quota(200, "alerts").describe("On the team plan."),
  ALERTS_ENTERPRISE: quota(500, "alerts").describe("On the enterprise plan."),
  WORKSPACES_PER_PERSON: count(20).describe("Workspaces that one person may own."),
});
