import { isRecord } from "#lib/is-record.ts";

/** What a provider says about a failure inside a stream, and the status that it would have answered with. */
export interface ProviderReport {
  readonly message: string;
  readonly statusCode?: number;
}

/** The fields that hold a provider's words, from the most telling to the least. */
const FIELDS = ["error", "message", "detail", "details", "errors", "msg", "error_description", "reason"] as const;
/** The fields that hold an HTTP status. */
const STATUS_FIELDS = ["statusCode", "status_code", "status", "code"] as const;
const MARKUP = /^\s*</;
const MAX_PLAIN = 2_000;

/**
 * Returns the provider's own message in an error response, whatever its form: JSON of any vendor, a list of details, or
 * plain text; undefined without one, and for a page.
 */
export function parseProviderMessage(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  try {
    return wordsOf(JSON.parse(body));
  } catch {
    const isPlain = body.trim() !== "" && body.length <= MAX_PLAIN && !MARKUP.test(body);
    return isPlain ? body.trim() : undefined;
  }
}

/** Returns the provider's own message in an error inside a stream, and its status if it is there. */
export function parseProviderReport(report: unknown): ProviderReport {
  const statusCode = statusOf(report);
  return {
    message: wordsOf(report) ?? "The provider reported an error without a message.",
    ...(statusCode !== undefined && { statusCode }),
  };
}

/** Finds the words in a text, a list or an object. */
function wordsOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Array.isArray(value)) {
    const all = value.map(wordsOf).filter((words) => words !== undefined);
    return all.length === 0 ? undefined : all.join("; ");
  }
  if (!isRecord(value)) return undefined;
  const words = FIELDS.map((field) => wordsOf(value[field])).find((found) => found !== undefined);
  const { loc, metadata } = value;
  if (words !== undefined && Array.isArray(loc)) return `${loc.join(".")}: ${words}`;
  // OpenRouter has the words of the vendor behind it there.
  const raw =
    isRecord(metadata) && typeof metadata["raw"] === "string" ? parseProviderMessage(metadata["raw"]) : undefined;
  return raw === undefined ? words : [words, raw].filter((each) => each !== undefined).join(": ");
}

function statusOf(value: unknown): number | undefined {
  if (!isRecord(value)) return undefined;
  const own = STATUS_FIELDS.map((field) => Number(value[field])).find(isErrorStatus);
  return own ?? statusOf(value["error"]);
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599;
}
