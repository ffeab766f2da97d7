/** A task, or a team run that was started without one, in the list of all work. */
export interface RunRow {
  readonly id: string;
  readonly kind: "task" | "run";
  readonly title: string;
  readonly status: string;
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly team: { readonly id: string; readonly name: string } | null;
  readonly source: { readonly kind: string; readonly id: string | null; readonly name: string | null } | null;
  readonly attempt: number;
  readonly queued_at: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly duration_ms: number | null;
  readonly tokens: number;
  readonly cost_usd: number | null;
  readonly error_code: string | null;
  readonly question_due: string | null;
}
