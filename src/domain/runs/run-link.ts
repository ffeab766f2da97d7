import { z } from "zod";
import { givenTime } from "../given-time.ts";

const DAY_MS = 86_400_000;

/** The longest life of a link to a run, in days. */
const MAX_DAYS = 365;

/** The life of a link to a run whose creator names no expiry, in days. */
const DEFAULT_DAYS = 7;

/** How many links of a run can be open at a time. */
export const MAX_OPEN_LINKS = 20;

/** The body of POST /console/api/runs/{id}/links. */
export const runLinkInput = z.strictObject({
  attempt: z.int().min(1).optional().describe("The attempt to show; by default the newest. Others are never shown."),
  shows_steps: z.boolean().default(false).describe("Whether to show the steps, with replies, calls and their results."),
  shows_cost: z.boolean().default(false).describe("Whether to show tokens and cost."),
  expires_at: givenTime.optional().describe(`By default in ${DEFAULT_DAYS} days, at most in ${MAX_DAYS}.`),
});

/** See {@link runLinkInput}. */
export type RunLinkInput = z.output<typeof runLinkInput>;

/** The states of a link to a run. */
export const RUN_LINK_STATES = ["open", "expired", "revoked"] as const;

/** A link to a run, as the run's page lists it. */
export const runLinkRecord = z
  .strictObject({
    id: z.uuid(),
    attempt: z.int(),
    shows_steps: z.boolean(),
    shows_cost: z.boolean(),
    state: z.enum(RUN_LINK_STATES),
    created_by: z.strictObject({ id: z.uuid(), name: z.string() }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "ListedRunLink" });

/** See {@link runLinkRecord}. */
export type RunLinkRecord = z.output<typeof runLinkRecord>;

/** When a link ends, as ISO 8601; undefined when that is not in the future, or too far in it. */
export function linkEnd(expiresAt: string | undefined, now: number): string | undefined {
  const end = expiresAt === undefined ? now + DEFAULT_DAYS * DAY_MS : Date.parse(expiresAt);
  return end > now && end <= now + MAX_DAYS * DAY_MS ? new Date(end).toISOString() : undefined;
}

/** What {@link linkEnd} accepts, for people. */
export const LINK_END_RULE = `must be in the future, by at most ${MAX_DAYS} days`;
