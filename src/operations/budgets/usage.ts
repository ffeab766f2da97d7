import type { UsageSum } from "#domain/models/usage.ts";
import { sumUsage } from "#db/queries/budgets/usage.ts";
import type { UsageQuestion, UsageRow } from "#db/queries/budgets/usage.ts";
import type { Workspace } from "../workspace.ts";

/** A workspace's usage over some days. */
export interface UsageReport {
  readonly rows: readonly UsageRow[];
  readonly total: UsageSum;
}

/** Sums up the usage of the caller's workspace; a report. */
export function reportUsage(workspace: Workspace, question: UsageQuestion): Promise<UsageReport> {
  return sumUsage(workspace.reports, question);
}
