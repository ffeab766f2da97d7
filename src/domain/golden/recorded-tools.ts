import { z } from "zod";
import { canonicalArguments } from "../tools/canonical-arguments.ts";

/** A tool call of a kept run, with the result that the model has read. */
export const recordedTool = z.object({
  name: z.string(),
  arguments: z.string(),
  output: z.string(),
  isError: z.boolean(),
});

/** See {@link recordedTool}. */
export type RecordedTool = z.output<typeof recordedTool>;

/** Answers tool calls from a record. */
export interface ToolRecord {
  /**
   * Returns the recorded result of a call: the first for the first call of a tool with these arguments, the next for the
   * next one, and the last for all further ones. Undefined when the record has no such call.
   */
  next(call: { readonly name: string; readonly arguments: string }): RecordedTool | undefined;
}

/** Opens a record. A repeated execution opens it again: then the same calls in the same order get the same results. */
export function openRecord(tools: readonly RecordedTool[]): ToolRecord {
  const results = Map.groupBy(tools, keyOf);
  const used = new Map<string, number>();
  return {
    next(call) {
      const key = keyOf(call);
      const known = results.get(key);
      const place = used.get(key) ?? 0;
      used.set(key, place + 1);
      return known?.[Math.min(place, known.length - 1)];
    },
  };
}

function keyOf({ name, arguments: text }: { readonly name: string; readonly arguments: string }): string {
  return `${name} ${canonicalArguments(text)}`;
}
