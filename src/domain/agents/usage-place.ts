import { z } from "zod";
import { TEAM_MODE_NAMES } from "../teams/team-mode.ts";

/** The kinds of records that name an agent or a team. */
export const PLACE_KINDS = [
  "team",
  "schedule",
  "trigger",
  "trello_channel",
  "webhook",
  "budget",
  "route",
  "alert",
] as const;

/** One of {@link PLACE_KINDS}. */
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** A record that names an agent or a team. */
export const usagePlace = z.strictObject({
  kind: z.enum(PLACE_KINDS),
  id: z.uuid(),
  name: z.string().describe("The name; for webhooks the URL, for budgets the period."),
  detail: z
    .string()
    .nullable()
    .describe(
      "The role in a team, the cron line of a schedule, the event of a webhook, the type of a route, the kind of an alert.",
    ),
  team_mode: z.enum(TEAM_MODE_NAMES).nullable().describe("The mode of a team; null for other records."),
  is_active: z.boolean().nullable().describe("null where a record cannot be paused."),
});

/** See {@link usagePlace}. */
export type UsagePlace = z.output<typeof usagePlace>;
