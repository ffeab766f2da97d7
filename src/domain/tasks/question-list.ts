import { z } from "zod";
import { RUN_SOURCES } from "../runs/run-source.ts";
import { CALLING_VENDORS } from "../people/channel-path.ts";
import { givenId } from "../given-id.ts";

/** The states of a question to a person. */
export const QUESTION_STATES = ["open", "answered", "expired"] as const;

/**
 * The channels of answers: those that create runs, links, the rule that asked, at its last deadline, and the vendors of
 * channels with people.
 */
export const QUESTION_CHANNELS = [...RUN_SOURCES, "link", "rule", ...CALLING_VENDORS] as const;

/** The query of the list of questions: open ones by deadline, others by the time when they were closed. */
export const questionsQuery = z.strictObject({
  state: z.enum(QUESTION_STATES).default("open"),
  agent_id: givenId.optional(),
  team_id: givenId.optional(),
  run_id: givenId.optional().describe("Only those of this task or team run."),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional().describe("next_cursor of the previous page, with the same state."),
});

/** The questions to list. */
export type QuestionsQuery = z.output<typeof questionsQuery>;

const moment = z.string().regex(/^(infinity|\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?)$/);

/** The end of a page: the state, the sort time in PostgreSQL's format, and the question's id. */
export const questionsCursor = z.strictObject({ state: z.enum(QUESTION_STATES), key: moment, id: z.uuid() });
