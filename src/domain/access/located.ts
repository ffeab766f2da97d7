/** What a record can be that is found by its id alone. */
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
