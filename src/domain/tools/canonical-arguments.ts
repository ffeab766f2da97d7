import { canonicalJson } from "#lib/text/canonical-json.ts";

/** The arguments of a tool call in a form that is equal for equal arguments; those that are not JSON stay as they are. */
export function canonicalArguments(text: string): string {
  try {
    return canonicalJson(JSON.parse(text === "" ? "{}" : text));
  } catch {
    return text;
  }
}
