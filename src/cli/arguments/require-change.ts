import { UsageError } from "../errors/cli-error.ts";

/** Rejects an update in which no field is given. @throws UsageError */
export function requireChange(fields: object): void {
  if (Object.values(fields).some((value) => value !== undefined)) return;
  throw new UsageError("Name at least one field to change.");
}
