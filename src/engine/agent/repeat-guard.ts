import type { ModelMessage } from "#domain/models/model-call.ts";
import { replyCalls } from "#domain/models/reply-parts.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { canonicalArguments } from "#domain/tools/canonical-arguments.ts";
import { RunFailure } from "../run/run-failure.ts";

/**
 * Detects a model that repeats the same tool call. The first call beyond `maxRepeats` is not executed: its result warns
 * the model. The next one ends the run. The decision depends on the conversation alone, so a resumed run makes the same
 * one.
 * @returns the warning that becomes the call's result, or undefined when the call may be executed
 * @throws RunFailure `TOOL_LOOP` when the model was warned before
 */
export function checkRepeats(
  call: ToolCall,
  history: { readonly earlier: readonly ToolCall[]; readonly maxRepeats: number },
): string | undefined {
  const { earlier, maxRepeats } = history;
  const made = earlier.filter((other) => isSameCall(other, call)).length;
  if (made < maxRepeats) return undefined;
  if (made > maxRepeats) {
    throw new RunFailure(
      "TOOL_LOOP",
      `The agent asked for the tool ${call.name} with the same arguments more than ${maxRepeats} times and continued after a warning.`,
    );
  }
  return (
    `This call was not made: you have asked for ${call.name} with these very arguments ${maxRepeats} times. ` +
    "Use the results that you have, or try something else; asking once more ends the run."
  );
}

/** The tool calls of a conversation so far, in order. */
export function callsOf(messages: readonly ModelMessage[]): ToolCall[] {
  return messages.flatMap((message) => (message.role === "assistant" ? replyCalls(message.parts) : []));
}

function isSameCall(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && canonicalArguments(a.arguments) === canonicalArguments(b.arguments);
}
