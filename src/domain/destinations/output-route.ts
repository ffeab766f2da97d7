import { z } from "zod";
import { ROUTE_EVENTS } from "./payload.ts";

const DAY_SECONDS = 86_400;
const MAX_RETRIES = 10;
/** The second attempt follows the first after so many seconds, and there is no third one. */
const DEFAULT_RETRY_DELAYS = [5];

const fields = z.strictObject({
  name: z.string().trim().min(1).max(100).describe("By what people find it; several may have the same."),
  type: z.string().max(50).describe("One of the types that /console/api/route-types lists."),
  config: z
    .record(z.string(), z.unknown())
    .describe("By the type's form; secrets are stored encrypted, never returned."),
  events: z
    .array(z.enum(ROUTE_EVENTS))
    .min(1)
    .transform((events) => [...new Set(events)])
    .describe("What is delivered."),
  is_active: z.boolean().describe("false: nothing is delivered."),
  retry_delays: z
    .array(z.int().min(1).max(DAY_SECONDS))
    .max(MAX_RETRIES)
    .describe("Seconds before the second attempt, the third, and so on; [5] by default, [] for a single attempt."),
});

/** The body of POST /console/api/routes. */
export const routeCreate = fields
  .extend({
    config: fields.shape.config.default({}),
    events: fields.shape.events.default([...ROUTE_EVENTS]),
    is_active: fields.shape.is_active.default(true),
    retry_delays: fields.shape.retry_delays.default(DEFAULT_RETRY_DELAYS),
  })
  .describe("A receiver of results.");

/** The body of PATCH /console/api/routes/{id}. */
export const routePatch = fields
  .omit({ type: true })
  .partial()
  .describe("The fields to change. config replaces all of it; a secret that is sent back as it is shown stays.");

/** A route to create, checked except for what its type says of its configuration. */
export type RouteCreate = z.output<typeof routeCreate>;

/** Changes to a route, checked like {@link RouteCreate}. */
export type RoutePatch = z.output<typeof routePatch>;

/** Fields that a client may send back from a record it read; they are ignored. */
export const ROUTE_READ_ONLY = [
  "id",
  "workspace_id",
  "health",
  "failures_in_row",
  "last_success_at",
  "last_failure_at",
  "created_by",
  "created_at",
  "updated_at",
] as const;

/** The row to which the encrypted secrets of a route are bound. */
export function routeSecretContext(workspaceId: string, routeId: string): string {
  return `output_routes:${workspaceId}:${routeId}`;
}
