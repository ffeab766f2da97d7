import { z } from "zod";
import { ALERT_KINDS } from "#domain/alerts/alert-kinds.ts";
import { givenTime } from "#domain/given-time.ts";
import { BUCKETS, runTotals } from "#domain/runs/run-counts.ts";
import { readOverview } from "#operations/runs/overview.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

/** The period of a report, and its buckets. */
export const periodQuery = z.strictObject({
  bucket: z.enum(BUCKETS).default("hour"),
  from: givenTime.optional().describe("By default the last 24 hours, or 14 days."),
  to: givenTime
    .optional()
    .describe("By default now. The hours or days, in UTC, that contain from and to are included completely."),
});

const used = { tokens: z.int(), cost_usd: z.number() };

/** The runs that ended in a period. */
export const periodFields = {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  bucket: z.enum(BUCKETS),
  buckets: z.array(z.strictObject({ start: z.iso.datetime(), ...runTotals.shape, ...used })),
  total: z.strictObject({ ...runTotals.shape, ...used }),
  error_codes: z.array(z.strictObject({ code: z.string(), runs: z.int() })).describe("The most frequent codes."),
};

const overview = z
  .strictObject({
    now: z.strictObject({
      open: z
        .strictObject({
          pending: z.int(),
          dispatched: z.int().describe("In the queue."),
          running: z.int(),
          waiting_for_input: z.int(),
        })
        .describe("Tasks, and team runs without one, that have not ended."),
      oldest_queued_at: z.iso.datetime().nullable(),
      questions: z
        .array(
          z.strictObject({
            interaction_id: z.uuid(),
            run_id: z.uuid(),
            title: z.string(),
            due: z.iso.datetime().nullable(),
          }),
        )
        .describe("Open questions, by deadline."),
      routes: z
        .array(
          z.strictObject({
            id: z.uuid(),
            name: z.string(),
            type: z.string(),
            failures_in_row: z.int(),
            health: z.enum(["healthy", "unhealthy"]),
            last_failure_at: z.iso.datetime().nullable(),
          }),
        )
        .describe("Destinations whose last delivery failed."),
      fires: z
        .array(z.strictObject({ schedule_id: z.uuid(), name: z.string(), time_zone: z.string(), at: z.iso.datetime() }))
        .describe("The schedules due next."),
      alerts: z
        .array(
          z.strictObject({
            id: z.uuid(),
            name: z.string(),
            kind: z.enum(ALERT_KINDS),
            threshold: z.number(),
            last_value: z.number().nullable(),
            since: z.iso.datetime(),
            watched_route_id: z.uuid().nullable(),
            target_name: z.string().nullable(),
          }),
        )
        .describe("The alerts that fire."),
      processes: z.int().describe("Processes of the instance that are alive."),
    }),
    ...periodFields,
    agents: z
      .array(z.strictObject({ id: z.uuid(), name: z.string(), runs: z.int(), failed: z.int(), cost_usd: z.number() }))
      .describe("The most expensive agents: their own attempts, and their cost, also in teams."),
  })
  .meta({ id: "Overview" });

/** Adds /console/api/overview: the workspace's current state, and the runs that ended recently. */
export default function addOverview(api: Api): void {
  addPath(api, "/console/api/overview", { tag: "Runs", endpoints: [read] });
}

const read = endpoint({
  method: "get",
  operationId: "getOverview",
  summary: "Read the workspace's current state, and ended runs and usage by hour or day",
  query: periodQuery,
  success: { status: 200, schema: overview },
  handle: async ({ c, workspace, query }) => respondValue(c, await readOverview(workspace, query)),
});
