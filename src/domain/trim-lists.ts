import { z } from "zod";
import { isRecord } from "#lib/is-record.ts";
import { digitsOf } from "#lib/text/exact-json.ts";

/**
 * Cuts the lists in a value to one member more than their schemas allow: what is too long is rejected as such, and its
 * members need not be checked. Zod checks all members first.
 */
export function trimLists(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return trimLists(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodPipe) return trimLists(schema.in, value);
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? trimList(schema, value) : value;
  if (!(schema instanceof z.ZodObject) || !isRecord(value) || digitsOf(value) !== undefined) return value;
  return withTrimmed(schema.shape, value);
}

/** Visits the fields of the schema, not those of the value, which may be very many; copies it only if one changes. */
function withTrimmed(shape: z.core.$ZodShape, value: Readonly<Record<string, unknown>>): unknown {
  const changed = Object.entries(shape).flatMap(([name, field]) => {
    if (!Object.hasOwn(value, name)) return [];
    const trimmed = trimLists(field, value[name]);
    return trimmed === value[name] ? [] : [[name, trimmed]];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

function trimList(schema: z.ZodArray, members: readonly unknown[]): readonly unknown[] {
  const { maximum } = schema._zod.bag;
  const kept = typeof maximum === "number" ? members.slice(0, maximum + 1) : members;
  return kept.map((member) => trimLists(schema.element, member));
}
