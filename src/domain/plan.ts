/** The plans of workspaces. */
export const PLANS = ["free", "pro", "team", "enterprise"] as const;

/** One of {@link PLANS}. */
export type Plan = (typeof PLANS)[number];

/** Stands for "as many as you like" among limits; no window ever counts so far. */
export const NO_LIMIT = 2_147_483_647;

/** Requests in a window, by the plan of the workspace; {@link NO_LIMIT} where they are not limited. */
export type PlanLimits = Readonly<Record<Plan, number>>;
