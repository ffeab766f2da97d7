/** The kinds of records that a search by name finds, in display order. */
export const FOUND_KINDS = [
  "run",
  "agent",
  "team",
  "knowledge_base",
  "document",
  "tool",
  "mcp_server",
  "remote_agent",
  "file",
  "schedule",
  "trigger",
  "route",
  "voice_profile",
  "output_template",
] as const;

/** One of {@link FOUND_KINDS}. */
export type FoundKind = (typeof FOUND_KINDS)[number];

/** The maximum number of results of each kind. */
export const MAX_FOUND_OF_KIND = 8;
