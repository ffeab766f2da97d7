import type { ModelMessage } from "#domain/models/model-call.ts";
import type { Script } from "./directives.ts";

const MARK = "Demo model (no AI):";
const FILLER = "these words come from the demo model and mean nothing".split(" ");
const MAX_RESULT_LENGTH = 300;

/**
 * The final answer of the demo model. It begins with a mark that it is not a real model's, names the task and repeats
 * the tool results of this exchange.
 */
export function composeAnswer(script: Script, messages: readonly ModelMessage[]): string {
  if (script.words !== undefined) {
    return fill(script.words);
  }
  const title = script.title === "" ? "an empty message" : `"${script.title}"`;
  const results = messages.flatMap(toResultLine);
  const summary = results.length === 0 ? [] : ["Tool results:", ...results];
  return [`${MARK} this is the answer to ${title}.`, ...summary].join("\n");
}

function fill(count: number): string {
  const words = [...MARK.split(" "), ...Array.from({ length: count }, (_, i) => FILLER[i % FILLER.length])];
  return words.slice(0, count).join(" ");
}

function toResultLine(message: ModelMessage): string[] {
  if (message.role !== "tool") {
    return [];
  }
  const outcome = message.isError ? "failed: " : "";
  return [`- ${message.toolName}: ${outcome}${message.output.slice(0, MAX_RESULT_LENGTH)}`];
}
