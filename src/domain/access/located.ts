/** The kinds of records that can be found by id alone. */
export const LOCATED_KINDS = [
  "task",
  "run",
  "agent",
  "team",
  "knowledge_base",
  "document",
  "file",
  "schedule",
  "trigger",
  "workspace",
] as const;

/** One of {@link LOCATED_KINDS}. */
export type LocatedKind = (typeof LOCATED_KINDS)[number];
