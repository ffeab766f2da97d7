/** What a rule watches. */
export const ALERT_KINDS = ["failure_rate", "cost_per_hour", "question_age", "queue_age", "route_failing"] as const;

/** One of {@link ALERT_KINDS}. */
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The fields that only some kinds have. */
const OWN_FIELDS = ["window_minutes", "min_runs", "agent_id", "team_id", "watched_route_id"] as const;

/** One of the fields that only some kinds have. */
export type OwnField = (typeof OWN_FIELDS)[number];

/** The unit of a kind's threshold and values, the greatest threshold, and the fields that the kind has. */
export interface KindRule {
  readonly unit: "percent" | "usd" | "minutes" | "deliveries";
  readonly max: number;
  readonly isWhole: boolean;
  readonly has: readonly OwnField[];
}

const MONTH_MINUTES = 43_200;
const FILTER = ["agent_id", "team_id"] as const;

/** The rule of each kind. */
export const KIND_RULES: Readonly<Record<AlertKind, KindRule>> = {
  failure_rate: { unit: "percent", max: 100, isWhole: false, has: ["window_minutes", "min_runs", ...FILTER] },
  cost_per_hour: { unit: "usd", max: 999_999, isWhole: false, has: FILTER },
  question_age: { unit: "minutes", max: MONTH_MINUTES, isWhole: false, has: FILTER },
  queue_age: { unit: "minutes", max: MONTH_MINUTES, isWhole: false, has: [] },
  route_failing: { unit: "deliveries", max: 1_000, isWhole: true, has: ["watched_route_id"] },
};

/** The fields of a rule that depend on its kind. */
export type KindFields = Readonly<Partial<Record<OwnField, string | number | null | undefined>>> & {
  readonly kind: AlertKind;
  readonly threshold: number;
  readonly route_id?: string | null | undefined;
};

/** What is wrong with the fields of a rule for its kind. */
export function kindIssues(alert: KindFields): readonly { readonly path: string; readonly message: string }[] {
  const { max, isWhole, has, unit } = KIND_RULES[alert.kind];
  const { threshold } = alert;
  return [
    ...OWN_FIELDS.filter((field) => alert[field] != null && !has.includes(field)).map((path) => ({
      path,
      message: `is not a field of ${alert.kind}`,
    })),
    ...(threshold > max ? [{ path: "threshold", message: `must be at most ${max} (${unit})` }] : []),
    ...(isWhole && !Number.isInteger(threshold) ? [{ path: "threshold", message: "must be a whole number" }] : []),
    ...(alert.agent_id != null && alert.team_id != null
      ? [{ path: "team_id", message: "must be absent with agent_id: name an agent or a team" }]
      : []),
    ...(alert.route_id != null && alert.route_id === alert.watched_route_id
      ? [{ path: "route_id", message: "must be another route: one that fails cannot report it" }]
      : []),
  ];
}
