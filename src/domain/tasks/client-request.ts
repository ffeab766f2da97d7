import { z } from "zod";
import { REASONING_EFFORTS, REASONING_SUMMARIES } from "../models/model-catalogue.ts";

/** What the request of an OpenAI client says beyond its messages and tools, as stored in `tasks.client_request`. */
export const clientRequest = z.object({
  /** Values that replace fields of the agent for this run. */
  agent: z
    .object({
      output_schema: z.record(z.string(), z.unknown()).readonly().optional(),
      reasoning: z
        .object({
          effort: z.enum(REASONING_EFFORTS).nullable(),
          show: z.boolean(),
          summary: z.enum(REASONING_SUMMARIES).optional(),
        })
        .readonly()
        .optional(),
    })
    .readonly(),
  /** The fields of the response that repeat the request; only for a response. */
  response: z.record(z.string(), z.unknown()).readonly().optional(),
  /** Whether the response can be read and continued by its id. */
  stored: z.boolean(),
});

/** See {@link clientRequest}. */
export type ClientRequest = Readonly<z.output<typeof clientRequest>>;
