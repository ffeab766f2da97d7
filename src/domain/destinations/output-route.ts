import { z } from "zod";
import { DEFAULT_EVENTS, ROUTE_EVENTS } from "./payload.ts";
import type { RouteEvent } from "./payload.ts";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";

const DAY_SECONDS = 86_400;
const MAX_RETRIES = 10;
const MAX_ALLOWED = 100;
const MAX_PER_MINUTE = 1_000;
const DEFAULT_PER_MINUTE = 10;

/** What a route is for: results of work, questions to people, or conversations with an agent. */
export const ROUTE_KINDS = ["results", "people", "agent"] as const;

/** One of {@link ROUTE_KINDS}. */
export type RouteKind = (typeof ROUTE_KINDS)[number];

const fields = z.strictObject({
  name: displayName(100).trim().describe("The display name; need not be unique."),
  kind: z
    .enum(ROUTE_KINDS)
    .describe(
      "people: it asks people the questions of agents, with buttons and a link that needs no account. agent: people talk to an agent in the channel.",
    ),
  type: z.string().max(50).describe("One of the types in /console/api/route-types."),
  config: z
    .record(z.string(), z.unknown())
    .describe("Depends on the type; secrets are stored encrypted, never returned."),
  events: z
    .array(z.enum(ROUTE_EVENTS))
    .transform((events) => [...new Set(events)])
    .describe(
      "The events to deliver; by default the ends of tasks and team runs, for kind people task.waiting_for_input, for kind agent none.",
    ),
  is_active: z.boolean().describe("false: nothing is delivered."),
  allowed_user_ids: z
    .array(z.string().trim().min(1).max(100))
    .max(MAX_ALLOWED)
    .transform((ids) => [...new Set(ids)])
    .describe(
      "Kinds people and agent: who may answer or talk in the channel, by the vendor's ids of people; []: everybody in it.",
    ),
  members: z
    .array(
      z.strictObject({
        member: z.string().trim().min(1).max(320).describe("By e-mail address or id; stored by id."),
        user_id: z.string().trim().min(1).max(100).nullable().default(null).describe("The vendor's id of the person."),
      }),
    )
    .max(MAX_ALLOWED)
    .describe(
      "Kind people: the members in the channel. A press with one's user_id is that member's; a rule on approvals that names the route asks them.",
    ),
  agent_id: givenId.nullable().describe("Kind agent: the agent that people talk to; null when it was deleted."),
  messages_per_minute: z
    .int()
    .min(1)
    .max(MAX_PER_MINUTE)
    .describe("Kind agent: how many messages a minute the agent takes from one person; 10 by default."),
  retry_delays: z
    .array(z.int().min(1).max(DAY_SECONDS))
    .max(MAX_RETRIES)
    .describe(
      "Seconds before the second attempt, the third, and so on; [5] by default, [5, 60, 300, 1800, 7200] for kind people, [] for a single attempt.",
    ),
});

/** The body of POST /console/api/routes. */
export const routeCreate = fields
  .extend({
    kind: fields.shape.kind.default("results"),
    config: fields.shape.config.default({}),
    events: fields.shape.events.optional(),
    allowed_user_ids: fields.shape.allowed_user_ids.default([]),
    members: fields.shape.members.default([]),
    agent_id: fields.shape.agent_id.default(null),
    messages_per_minute: fields.shape.messages_per_minute.default(DEFAULT_PER_MINUTE),
    is_active: fields.shape.is_active.default(true),
    retry_delays: fields.shape.retry_delays.optional(),
  })
  .describe("A destination of results.");

/** The body of PATCH /console/api/routes/{id}. */
export const routePatch = fields
  .omit({ type: true, kind: true })
  .partial()
  .describe("The fields to change. config is replaced completely; a secret sent back masked keeps its value.");

/** A route to create, validated except for its type's rules about the configuration. */
export type RouteCreate = z.output<typeof routeCreate>;

/** Changes to a route, validated like {@link RouteCreate}. */
export type RoutePatch = z.output<typeof routePatch>;

/** The events of a route that chooses none. */
export function defaultEvents(kind: RouteKind): readonly RouteEvent[] {
  if (kind === "agent") return [];
  return kind === "people" ? ["task.waiting_for_input"] : DEFAULT_EVENTS;
}

/** Fields that a client may send back from a record; they are ignored. */
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
