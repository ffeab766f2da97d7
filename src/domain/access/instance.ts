import { z } from "zod";

/** By what the operator orders workspaces, the largest first. */
export const TENANT_ORDERS = ["load", "cost", "storage", "failures", "newest"] as const;

/** The query of the operator's list of workspaces. */
export const tenantsQuery = z.strictObject({
  order: z
    .enum(TENANT_ORDERS)
    .default("load")
    .describe("The largest first: running and waiting runs, cost of today, stored bytes, failed runs of today."),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(100).optional().describe("next_cursor of the previous page."),
});

/** See {@link tenantsQuery}. */
export type TenantsQuery = z.output<typeof tenantsQuery>;

/** The levels of the log, the loudest last. */
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace"] as const;

/** The log level that is set now; all null when each process has its LOG_LEVEL. */
export const currentLogLevel = z.strictObject({
  level: z.enum(LOG_LEVELS).nullable().describe("Null: each process has its LOG_LEVEL."),
  process: z.string().nullable().describe("The `name` of a process; null: all."),
  until: z.iso.datetime().nullable(),
});

/** See {@link currentLogLevel}. */
export type CurrentLogLevel = z.output<typeof currentLogLevel>;

/** A log level for some minutes, on one process or on all. */
export const logLevelChange = z.strictObject({
  level: z.enum(LOG_LEVELS),
  minutes: z.int().min(1).max(1_440).default(10).describe("Then each process returns to its LOG_LEVEL by itself."),
  process: z
    .string()
    .max(300)
    .nullable()
    .default(null)
    .describe("The `name` of a process; null: all, also those that start meanwhile."),
});

/** See {@link logLevelChange}. */
export type LogLevelChange = z.output<typeof logLevelChange>;
