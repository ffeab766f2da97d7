import type { Principal } from "#domain/access/principal.ts";
import type { UsageSum } from "#domain/models/usage.ts";
import { sumUsage } from "#db/queries/budgets/usage.ts";
import type { UsageQuestion, UsageRow } from "#db/queries/budgets/usage.ts";
import type { Services } from "../context.ts";

/** A workspace's usage over some days. */
export interface UsageReport {
  readonly rows: readonly UsageRow[];
  readonly total: UsageSum;
}

/** Sums up the usage of the caller's workspace. */
export function reportUsage(services: Services, who: Principal, question: UsageQuestion): Promise<UsageReport> {
  return sumUsage(services.db, who, question);
}
