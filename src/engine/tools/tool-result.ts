import { z } from "zod";

/** Parses a recorded {@link ToolResult}. */
export const toolResult = z.object({
  output: z.string(),
  isError: z.boolean(),
  /** Stored images to show the model. */
  images: z
    .array(z.object({ id: z.string(), name: z.string(), type: z.string(), blobKey: z.string() }))
    .readonly()
    .optional(),
  /** Whether it is the agent's final answer. */
  isFinal: z.literal(true).optional(),
});

/** A tool's result, for the model to read. */
export type ToolResult = Readonly<z.output<typeof toolResult>>;

/** The result of a call that failed, from which the model can learn what to do instead. */
export function errorResult(output: string): ToolResult {
  return { output, isError: true };
}
