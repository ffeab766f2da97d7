import type { FieldIssue } from "../errors.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";

/** Models like to put JSON into a block of Markdown. */
const FENCE = "```";
const MAX_SHOWN = 10;

/** The JSON of a reply, or why it has none. */
export type JsonReading =
  | { readonly text: string; readonly value: unknown }
  | { readonly text?: undefined; readonly fault: string };

/** Reads a reply that must be JSON: the whole text, or its only block of code. Digits and order stay as written. */
export function readJsonReply(reply: string): JsonReading {
  const blocks = blocksIn(reply);
  const [only] = blocks.length === 1 ? blocks : [];
  const whole = read(reply);
  return whole.text === undefined && only !== undefined ? read(only) : whole;
}

/** The system prompt's section about the result of an agent with an output schema. */
export function outputSection(schema: Readonly<Record<string, unknown>>): string {
  return (
    "## Output Format\n\nYour final answer must be JSON that satisfies this JSON Schema, without any other text:\n\n" +
    JSON.stringify(schema)
  );
}

/** Tells the model once what is wrong with its result. */
export function repairNotice(issues: readonly FieldIssue[]): string {
  return (
    "Notice of the service, not of the user: your answer does not satisfy the JSON Schema of the output.\n" +
    `${linesOf(issues).join("\n")}\nAnswer again with the complete, corrected JSON, without any other text.`
  );
}

/** The error of a run whose result is still invalid after the repair. */
export function invalidResult(model: string, issues: readonly FieldIssue[]): string {
  return `The result of ${model} does not satisfy the agent's output schema: ${linesOf(issues).join("; ")}.`;
}

/** What is inside of closed blocks, without the name of a language in the first line. */
function blocksIn(reply: string): string[] {
  const between = reply.split(FENCE).slice(1, -1);
  return between.filter((_, index) => index % 2 === 0).map((block) => block.slice(block.indexOf("\n") + 1));
}

function read(text: string): JsonReading {
  const json = text.trim();
  try {
    return { text: json, value: parseJson(json) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { fault: `is not JSON: ${error.message}` };
  }
}

/** A line per issue, with the path of the value; empty: the whole result. */
function linesOf(issues: readonly FieldIssue[]): string[] {
  const shown = issues
    .slice(0, MAX_SHOWN)
    .map(({ path, message }) => `${path === "" ? "the result" : path} ${message}`);
  return issues.length > MAX_SHOWN ? [...shown, `and ${issues.length - MAX_SHOWN} more`] : shown;
}
