import { z } from "zod";
import { isRecord } from "#lib/is-record.ts";
import { nearest } from "#lib/text/nearest.ts";

/** The issue of a field that the schema does not have. */
export const UNKNOWN_FIELD = "unknown field";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  null: "null",
  date: "a date",
};

const FORMS: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  guid: "a UUID",
  email: "an e-mail address such as ann@example.org",
  url: "a URL such as https://example.org",
  datetime: "a time such as 2030-01-31T12:00:00Z",
  date: "a date such as 2030-01-31",
  time: "a time of day such as 09:30:00",
  json_string: "JSON",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
};

/** A field's name that is longer is not compared with the known ones. */
const MAX_COMPARED_LENGTH = 40;
/** The first unknown fields are compared with the known ones. */
const MAX_COMPARED = 10;

/** The unit of an input's length limit. */
const UNITS: Readonly<Record<string, string>> = { string: "character", array: "item", set: "item", file: "byte" };

/**
 * Returns the issue of an input for a person: the rest of a sentence that starts with the field's name. Undefined if
 * the validator's own text is as good.
 */
export function plainMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "too_small":
      return limitMessage(issue.origin, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return limitMessage(issue.origin, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "invalid_format":
      return FORMS[issue.format] === undefined ? "does not have the required form" : `must be ${FORMS[issue.format]}`;
    case "invalid_value":
      return issue.input === undefined ? `is required: ${choices(issue.values)}` : `must be ${choices(issue.values)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return issue.input === undefined ? "is required" : (discriminatorMessage(issue) ?? variantMessage(issue));
    case "unrecognized_keys":
      return unknownFields(issue).join("\n");
    default:
      return undefined;
  }
}

/** One message for each of the first unknown fields, in their order; the field with a similar name was probably meant. */
function unknownFields({ keys, inst }: Extract<Issue, { code: "unrecognized_keys" }>): readonly string[] {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return keys.slice(0, MAX_COMPARED).map((key) => {
    const meant = key.length > MAX_COMPARED_LENGTH ? undefined : similarField(key, known);
    return meant === undefined ? UNKNOWN_FIELD : `${UNKNOWN_FIELD} (did you mean ${meant}?)`;
  });
}

/** Also finds `assigned_agent_id` for `agent_id`. */
function similarField(key: string, known: readonly string[]): string | undefined {
  return nearest(key, known) ?? known.find((field) => field.endsWith(`_${key}`));
}

/** The issue of the field that chooses between objects; undefined for other unions. */
function discriminatorMessage(issue: Extract<Issue, { code: "invalid_union" }>): string | undefined {
  if (issue.discriminator === undefined || !("options" in issue) || !Array.isArray(issue.options)) return undefined;
  const isMissing = isRecord(issue.input) && issue.input[issue.discriminator] === undefined;
  return `${isMissing ? "is required:" : "must be"} ${choices(issue.options)}`;
}

/** The issue of the only variant of the input's type; without one, the types of all. Undefined for several. */
function variantMessage({ errors }: Extract<Issue, { code: "invalid_union" }>): string | undefined {
  const types = errors.map(([first]) =>
    first?.code === "invalid_type" && first.path.length === 0 ? (KINDS[first.expected] ?? first.expected) : undefined,
  );
  if (types.every((type) => type !== undefined)) return `must be ${[...new Set(types)].join(" or ")}`;
  const [only, ...others] = errors.filter((_, index) => types[index] === undefined);
  const first = only?.[0];
  if (first === undefined || others.length > 0) return undefined;
  return first.path.length === 0 ? first.message : `is invalid: ${first.path.join(".")} ${first.message}`;
}

function limitMessage(origin: string, limit: number, relation: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${relation} ${limit.toLocaleString("en-US")}`;
  if (relation === "at least" && limit === 1) return "must not be empty";
  return `must have ${relation} ${limit.toLocaleString("en-US")} ${limit === 1 ? unit : `${unit}s`}`;
}

function choices(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === "string" ? value || '""' : String(value)));
  return shown.length > 1 ? `one of ${shown.join(", ")}` : (shown[0] ?? "");
}
