import { TableError } from "../errors.ts";

/** The preferences in a request's header `Prefer`. */
export interface Preferences {
  readonly return: "minimal" | "representation" | "headers-only";
  readonly count: "exact" | "planned" | "estimated" | undefined;
  readonly resolution: "merge-duplicates" | "ignore-duplicates" | undefined;
  readonly missing: "default" | "null";
  readonly maxAffected: number | undefined;
  /** Whether CSV cells that look like formulas are prefixed with an apostrophe: our own preference. */
  readonly escapesFormulas: boolean;
  /** The supported preferences of the request, for `Preference-Applied`. */
  readonly applied: readonly string[];
}

const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ["return", ["minimal", "representation", "headers-only"]],
  ["count", ["exact", "planned", "estimated"]],
  ["resolution", ["merge-duplicates", "ignore-duplicates"]],
  ["missing", ["default", "null"]],
  ["csv-formulas", ["escaped"]],
  ["handling", ["strict", "lenient"]],
]);
const MAX_AFFECTED = "max-affected";
const WHOLE = /^\d{1,9}$/u;

/**
 * Parses the header `Prefer`; the first of several values of a preference counts.
 * @throws TableError PGRST122 for an unknown one, with `handling=strict`.
 */
export function parsePrefer(header: string | undefined): Preferences {
  const given = (header ?? "").split(",").map((each) => each.trim());
  const known = new Map<string, string>();
  const unknown: string[] = [];
  for (const each of given.filter((part) => part !== "")) {
    const [name = "", value = ""] = each.split("=", 2);
    const fits = name === MAX_AFFECTED ? WHOLE.test(value) : (KNOWN.get(name)?.includes(value) ?? false);
    if (fits && !known.has(name)) known.set(name, value);
    if (!fits) unknown.push(each);
  }
  const strict = known.get("handling") === "strict";
  if (strict && unknown.length > 0) throw invalidPreferences(unknown);
  const limit = strict ? known.get(MAX_AFFECTED) : undefined;
  if (limit === undefined) known.delete(MAX_AFFECTED);
  return {
    return: oneOf(known.get("return"), ["representation", "headers-only"]) ?? "minimal",
    count: oneOf(known.get("count"), ["exact", "planned", "estimated"]),
    resolution: oneOf(known.get("resolution"), ["merge-duplicates", "ignore-duplicates"]),
    missing: oneOf(known.get("missing"), ["default"]) ?? "null",
    maxAffected: limit === undefined ? undefined : Number(limit),
    escapesFormulas: known.has("csv-formulas"),
    applied: [...known].map(([name, value]) => `${name}=${value}`),
  };
}

function oneOf<const Value extends string>(given: string | undefined, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === given);
}

function invalidPreferences(unknown: readonly string[]): TableError {
  return new TableError(400, "PGRST122", {
    message: "Invalid preferences given with handling=strict",
    details: `Invalid preferences: ${unknown.join(", ")}`,
  });
}
