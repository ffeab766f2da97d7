import { z } from "zod";

/** Checks a {@link ToolResult} that was recorded. */
export const toolResult = z.object({
  output: z.string(),
  isError: z.boolean(),
  /** Stored images that the model is shown. */
  images: z
    .array(z.object({ id: z.string(), name: z.string(), type: z.string(), blobKey: z.string() }))
    .readonly()
    .optional(),
  /** Whether it is the agent's answer. */
  isFinal: z.literal(true).optional(),
});

/** What a tool gave back, for the model to read. */
export type ToolResult = Readonly<z.output<typeof toolResult>>;
