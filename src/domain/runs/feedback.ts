import { z } from "zod";

/** What people can think of a result. */
export const RATINGS = ["up", "down"] as const;

/** The surfaces that take feedback. */
export const FEEDBACK_CHANNELS = ["console", "api", "ag-ui"] as const;

const MAX_NOTE = 2_000;
const MAX_CORRECTION = 50_000;

/** What a person says of a run, or of one message of it. */
export const feedbackInput = z
  .strictObject({
    rating: z.enum(RATINGS).nullable().default(null),
    note: z.string().trim().max(MAX_NOTE).default("").describe("Why, in the person's words."),
    correction: z.string().trim().max(MAX_CORRECTION).default("").describe("What the answer should have been."),
    message_id: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe("The `messageId` in the event log; null for the run as a whole."),
    attempt: z.int32().positive().optional().describe("By default the newest."),
  })
  .refine(({ rating, note, correction }) => rating !== null || note !== "" || correction !== "", {
    path: ["rating"],
    message: "must be up or down, unless there is a note or a correction",
  });

/** See {@link feedbackInput}. */
export type FeedbackInput = z.output<typeof feedbackInput>;

/** A piece of feedback, as it is recorded. */
export const feedbackRecord = z
  .strictObject({
    id: z.uuid(),
    run_id: z.uuid(),
    attempt: z.int(),
    message_id: z.string().nullable(),
    rating: z.enum(RATINGS).nullable(),
    note: z.string(),
    correction: z.string(),
    by: z.strictObject({ id: z.uuid(), name: z.string() }),
    via: z.enum(FEEDBACK_CHANNELS),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Feedback" });

/** See {@link feedbackRecord}. */
export type FeedbackRecord = z.output<typeof feedbackRecord>;
