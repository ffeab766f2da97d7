import { UsageError } from "../errors/cli-error.ts";

/** Options of every command that talks to a service. */
export const CONNECTION = {
  url: {
    type: "string",
    valueHint: "url",
    description: "URL of the service (MUSTER_URL; default http://127.0.0.1:4400)",
  },
  key: { type: "string", valueHint: "key", description: "API key, mst_… (MUSTER_API_KEY)" },
  profile: { type: "string", valueHint: "name", description: "Profile of muster login (MUSTER_PROFILE)" },
  json: { type: "boolean", description: "Print JSON for programs" },
} as const;

/** The option of the commands that list. */
export const LIMIT = {
  limit: { type: "string", default: "50", description: "Maximum number" },
} as const;

/** The option of the commands that start a team run. */
export const RUN_INPUT = {
  input: {
    type: "string",
    alias: "task",
    required: true,
    valueHint: "text",
    description: "Input; - reads standard input",
  },
} as const;

/** Parses a whole number of 1 or more. @throws UsageError naming the option. */
export function parseCount(option: string, value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError(`--${option} must be a whole number of 1 or more, not "${value}".`);
}

/** Parses a number; returns undefined for undefined. @throws UsageError naming the option. */
export function parseNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const parsed = Number(value);
  if (value.trim() !== "" && Number.isFinite(parsed)) return parsed;
  throw new UsageError(`--${option} must be a number, not "${value}".`);
}

/** Parses a comma-separated list; returns undefined for undefined. */
export function parseList(value: string | undefined): readonly string[] | undefined {
  return value?.split(",").flatMap((item) => item.trim() || []);
}
