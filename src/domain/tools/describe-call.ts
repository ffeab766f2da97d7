import { formatJson } from "#lib/text/format-json.ts";
import { showInvisible } from "#lib/text/without-invisible.ts";

const MAX_ARGUMENTS_SHOWN = 9_000;

/**
 * What people who decide about a call read of it, as Markdown. The arguments are a block of code: nothing in them is
 * markup, and no line of JSON ends the block. @param json its arguments; after 9,000 characters they are cut
 */
export function describeCall(name: string, json: string): string {
  const shown = json === "" ? "{}" : showInvisible(formatJson(json));
  if (shown === "{}") return `It wants to call ${name} with no arguments.`;
  const left = shown.length - MAX_ARGUMENTS_SHOWN;
  const cut = `the beginning of these arguments; ${left.toLocaleString("en-US")} more characters are in the run:`;
  const [head, text] = left > 0 ? [cut, `${shown.slice(0, MAX_ARGUMENTS_SHOWN)}…`] : ["these arguments:", shown];
  return `It wants to call ${name} with ${head}\n\n\`\`\`json\n${text}\n\`\`\``.toWellFormed();
}
