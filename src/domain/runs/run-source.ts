import type { Principal } from "../access/principal.ts";

/** The sources that create runs. */
export const RUN_SOURCES = ["api", "console", "schedule", "trigger", "a2a", "mcp", "fork", "page"] as const;

/** The source of a run, and the key, person, schedule, trigger, run or page that started it. */
export interface RunSource {
  readonly kind: (typeof RUN_SOURCES)[number];
  readonly id: string | null;
}

/**
 * Returns the source of a request's runs: its protocol or else the API with its key, or the console with its person, or
 * the page of its visitor.
 */
export function sourceOf({ keyId, userId, protocol, pageId }: Principal): RunSource {
  if (pageId !== undefined) return { kind: "page", id: pageId };
  return { kind: protocol ?? (keyId === null ? "console" : "api"), id: keyId ?? userId };
}
