import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";
import { Problem } from "../api/problem.ts";

/** Why a text is no JSON object. */
export interface JsonFault {
  readonly message: string;
  /** The index of the character where it stops being JSON; undefined if there is no such place. */
  readonly index: number | undefined;
}

/** An object, or what keeps a text from being one. */
export type JsonReading =
  | { readonly value: Readonly<Record<string, unknown>>; readonly fault?: undefined }
  | { readonly fault: JsonFault };

/** Reads the JSON object of a text field; an empty text is an empty object. */
export function readJsonObject(text: string): JsonReading {
  if (text.trim() === "") return { value: {} };
  try {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { value: Object.fromEntries(Object.entries(value)) };
    }
    return { fault: { message: 'Must be a JSON object, such as {"key": "value"}.', index: undefined } };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { fault: { message: `Not valid JSON: ${error.message}.`, index: indexOf(text, error.position) } };
  }
}

/**
 * The JSON object in a text field; an empty text is an empty object.
 * @param path of the field, for the message
 * @throws Problem at the field, telling where the text stops being JSON
 */
export function jsonObject(text: string, path: string): Record<string, unknown> {
  const reading = readJsonObject(text);
  if (reading.fault === undefined) return { ...reading.value };
  const { message } = reading.fault;
  throw new Problem({ status: 400, code: "bad_request", message, details: [{ path, message }] });
}

function indexOf(text: string, position: JsonSyntaxError["position"]): number | undefined {
  if (position === undefined) return undefined;
  const before = text.split(/(?<=\r\n|\n|\r(?!\n))/).slice(0, position.line - 1);
  return before.reduce((sum, line) => sum + line.length, 0) + position.column - 1;
}

/**
 * The content of an exported file, of which the server alone can tell whether it has its type.
 * @throws Problem that tells where it stops being JSON
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the operation that takes it has the type
export function readImport<Body>(text: string): Body {
  jsonObject(text, "");
  return JSON.parse(text);
}
