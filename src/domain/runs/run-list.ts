import { z } from "zod";
import { givenId } from "../given-id.ts";
import { givenTime } from "../given-time.ts";
import { RUN_ERROR_CODES } from "../streams/stream-event.ts";
import { TASK_STATUSES } from "../tasks/task-status.ts";
import { RUN_SOURCES } from "./run-source.ts";

/** The sort orders of the list of runs. */
export const RUN_SORTS = ["newest", "cost", "duration"] as const;

const MAX_VALUES = 20;
const oneOrMore = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).min(1).max(MAX_VALUES).optional();

/** The query of the list of runs. All filters must match. */
export const runsQuery = z.strictObject({
  status: oneOrMore(z.enum(TASK_STATUSES)).describe("A queued team run is pending."),
  agent_id: oneOrMore(givenId),
  team_id: oneOrMore(givenId),
  source: oneOrMore(z.enum(RUN_SOURCES)),
  error_code: oneOrMore(z.enum(RUN_ERROR_CODES)),
  feedback: oneOrMore(z.enum(["up", "down", "note"])).describe(
    "Feedback on the current attempt or its messages; note: with a note or a correction.",
  ),
  tag: oneOrMore(z.string().min(1).max(100)).describe("A tag of the agent."),
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Words or starts of words of the title, or the start of an id."),
  since: givenTime.optional().describe("Created at this time or later."),
  until: givenTime.optional().describe("Created before this time."),
  min_cost: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe("The minimum cost of the current attempt, in USD."),
  sort: z.enum(RUN_SORTS).default("newest"),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional().describe("next_cursor of the previous page, in the same order."),
});

/** The runs to list, and the order. */
export type RunsQuery = z.output<typeof runsQuery>;

/** The filters alone. */
export const runsFilter = runsQuery.omit({ sort: true, limit: true, cursor: true });

/** See {@link runsFilter}. */
export type RunsFilter = z.output<typeof runsFilter>;

const amount = z.string().regex(/^-?\d{1,20}(\.\d{1,20})?$/);

/** The end of a page: the order of the list, the sort value there, as text, and the id. */
export const runsCursor = z.discriminatedUnion("sort", [
  z.strictObject({ sort: z.literal("newest"), key: givenTime, id: z.uuid() }),
  z.strictObject({ sort: z.literal("cost"), key: amount, id: z.uuid() }),
  z.strictObject({ sort: z.literal("duration"), key: amount, id: z.uuid() }),
]);

/** Returns the keywords of a search, each to match the start of a word in a title. */
export function keywordsOf(q: string): readonly string[] {
  return q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const HEX_DIGITS = 32;
const MIN_ID_DIGITS = 4;

/** Returns the range of ids that start with a search text; undefined when it is not the start of an id. */
export function idRangeOf(q: string): { readonly first: string; readonly last: string } | undefined {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{0,4}){0,4}[0-9a-f]*$|^[0-9a-f]{1,8}$/i.test(q)) return undefined;
  const digits = q.replaceAll("-", "").toLowerCase();
  if (digits.length < MIN_ID_DIGITS || digits.length > HEX_DIGITS) return undefined;
  return { first: digits.padEnd(HEX_DIGITS, "0"), last: digits.padEnd(HEX_DIGITS, "f") };
}
