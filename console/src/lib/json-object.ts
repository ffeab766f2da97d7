import { Problem } from "../api/problem.ts";

/**
 * The JSON object in a text field; an empty text is an empty object.
 * @param path of the field, for the message
 * @throws Problem at the field, telling where the text stops being JSON
 */
export function jsonObject(text: string, path: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const value = parsed(text, path);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value));
  throw problemAt(path, 'Must be a JSON object, such as {"key": "value"}.');
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw problemAt(path, `Not valid JSON: ${whereOf(text, error instanceof Error ? error.message : "")}`);
  }
}

/** Engines report the position in different ways; people look for lines. */
function whereOf(text: string, message: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return message;
  const before = text.slice(0, Number(position)).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}.`;
}

function problemAt(path: string, message: string): Problem {
  return new Problem({ status: 400, code: "bad_request", message, details: [{ path, message }] });
}
