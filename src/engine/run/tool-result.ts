import { z } from "zod";
import type { ModelMessage } from "#domain/models/model-call.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";

/** Parses a recorded {@link ToolResult}. */
export const toolResult = z.object({
  output: z.string(),
  isError: z.boolean(),
  /** Stored images to show the model. */
  images: z
    .array(z.object({ id: z.string(), name: z.string(), type: z.string(), blobKey: z.string() }))
    .readonly()
    .optional(),
  /** The id of the file that has all of it, if the output is only its beginning. */
  stored: z.string().optional(),
  /** Whether it is the agent's final answer. */
  isFinal: z.literal(true).optional(),
});

/** A tool's result, for the model to read. */
export type ToolResult = Readonly<z.output<typeof toolResult>>;

/** A result as a message of the conversation. */
export function resultMessage({ id, name }: ToolCall, { output, isError, stored }: ToolResult): ModelMessage {
  return {
    role: "tool",
    toolCallId: id,
    toolName: name,
    output,
    isError,
    ...(stored !== undefined && { isCut: true }),
  };
}

/** The result of a call that failed, from which the model can learn what to do instead. */
export function errorResult(output: string): ToolResult {
  return { output, isError: true };
}
