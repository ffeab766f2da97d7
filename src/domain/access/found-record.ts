/** What a search by name finds, in the order in which it is shown. */
export const FOUND_KINDS = [
  "run",
  "agent",
  "team",
  "knowledge_base",
  "document",
  "tool",
  "file",
  "schedule",
  "trigger",
  "route",
] as const;

/** One of {@link FOUND_KINDS}. */
export type FoundKind = (typeof FOUND_KINDS)[number];

/** At most this many of each kind are found. */
export const MAX_FOUND_OF_KIND = 8;
