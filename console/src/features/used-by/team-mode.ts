/** How the agents of a team work together. */
export const TEAM_MODES = ["pipeline", "orchestrator", "collaboration"] as const;

/** One of {@link TEAM_MODES}. */
export type TeamMode = (typeof TEAM_MODES)[number];
