/** The modes of a team. */
export const TEAM_MODE_NAMES = ["pipeline", "orchestrator", "collaboration"] as const;

/** One of {@link TEAM_MODE_NAMES}. */
export type TeamModeName = (typeof TEAM_MODE_NAMES)[number];
