import type { Principal } from "../access/principal.ts";

/** The sources that create runs. */
export const RUN_SOURCES = [
  "api",
  "console",
  "schedule",
  "trigger",
  "a2a",
  "mcp",
  "fork",
  "page",
  "channel",
  "golden",
] as const;

/** The source of a run, and the key, person, schedule, trigger, run, page or route that started it. */
export interface RunSource {
  readonly kind: (typeof RUN_SOURCES)[number];
  readonly id: string | null;
}

/**
 * Returns the source of a request's runs: its protocol or else the API with its key, or the console with its person, the
 * page of its visitor, or the route of its channel.
 */
export function sourceOf({ keyId, userId, protocol, pageId, channelRouteId }: Principal): RunSource {
  if (pageId !== undefined) return { kind: "page", id: pageId };
  if (channelRouteId !== undefined) return { kind: "channel", id: channelRouteId };
  return { kind: protocol ?? (keyId === null ? "console" : "api"), id: keyId ?? userId };
}
