import type { Principal } from "../access/principal.ts";

/** Through what work is created. */
export const RUN_SOURCES = ["api", "console", "schedule", "trigger", "a2a", "mcp", "fork"] as const;

/** Through what a piece of work was created, and which key, person, schedule, trigger or run that was. */
export interface RunSource {
  readonly kind: (typeof RUN_SOURCES)[number];
  readonly id: string | null;
}

/** The source of what a request creates: its protocol or else the API with its key, or the console with its person. */
export function sourceOf({ keyId, userId, protocol }: Principal): RunSource {
  return { kind: protocol ?? (keyId === null ? "console" : "api"), id: keyId ?? userId };
}
