/** The plans of workspaces. */
export const PLANS = ["free", "pro", "team", "enterprise"] as const;

/** One of {@link PLANS}. */
export type Plan = (typeof PLANS)[number];

/** Means "no limit"; no counter reaches it. */
export const NO_LIMIT = 2_147_483_647;

/** The number of requests in a window, by plan; {@link NO_LIMIT} for no limit. */
export type PlanLimits = Readonly<Record<Plan, number>>;

/** What a workspace may store; null is no limit. */
export interface Quotas {
  /** Agents with their versions, teams, tasks, team runs, files and all other records of members, together. */
  readonly records: number | null;
  /** Contents of files and documents, in bytes. */
  readonly storedBytes: number | null;
  readonly schedules: number | null;
  readonly alerts: number | null;
}

/** The quotas of each plan. */
export type PlanQuotas = Readonly<Record<Plan, Quotas>>;
