import { z } from "zod";
import { count } from "./forms.ts";

/** Which records of runs are kept for people, and for how long. */
export const recording = z.object({
  RECORD_PROMPTS: z
    .stringbool()
    .default(true)
    .describe("false: what models are sent is not kept with the steps of runs, and the console cannot show it."),
  RECORD_RAW: z
    .enum(["errors", "off"])
    .default("errors")
    .describe(
      "errors: the bodies that were exchanged with a model provider in a try that failed are kept with the step, up to 256 KiB and without keys. off: never.",
    ),
  RETENTION_DAYS: count(30).describe(
    "Days that events and recorded steps of ended runs are kept, plus up to a week; results stay.",
  ),
  RETENTION_TASKS_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe("Days that ended tasks and runs are kept with their results and files; default: until they are deleted."),
});
