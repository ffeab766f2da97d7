/** The plans of workspaces. */
export const PLANS = ["free", "pro", "team", "enterprise"] as const;

/** One of {@link PLANS}. */
export type Plan = (typeof PLANS)[number];

/** Means "no limit"; no window ever counts so far. */
export const NO_LIMIT = 2_147_483_647;

/** Requests in a window, by the plan of the workspace; {@link NO_LIMIT} where they are not limited. */
export type PlanLimits = Readonly<Record<Plan, number>>;

/** What a workspace may keep; null is no limit. */
export interface Quotas {
  /** Agents with their versions, teams, tasks, team runs, files and whatever else members create, together. */
  readonly records: number | null;
  /** Contents of files and documents, in bytes. */
  readonly storedBytes: number | null;
  readonly schedules: number | null;
}

/** The quotas of each plan. */
export type PlanQuotas = Readonly<Record<Plan, Quotas>>;
