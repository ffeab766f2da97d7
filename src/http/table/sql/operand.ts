import type { Operand } from "../plan/operand.ts";
import type { Values } from "./values.ts";

/** Returns the value of an operand in a row named `row`. */
export function operandSql(values: Values, row: string, { column, steps, cast }: Operand): string {
  const path = steps.map(({ key, asText }) => {
    const type = typeof key === "number" ? "integer" : "text";
    return `${asText ? "->>" : "->"} ${values.add(key)}::${type}`;
  });
  const name = `${row}.${column.name}`;
  const value = [steps.length === 0 || column.type === "jsonb" ? name : `to_jsonb(${name})`, ...path].join(" ");
  if (cast !== undefined) return `(${value})::${cast}`;
  return path.length === 0 ? value : `(${value})`;
}
