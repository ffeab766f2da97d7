import { PLANS } from "#domain/access/plan.ts";
import type { PlanQuotas } from "#domain/access/plan.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const SAVE = statement({
  name: "save-plan-quotas",
  text: `
    insert into plan_quotas (plan, records, stored_bytes, schedules, alerts)
    select plan, records, stored_bytes, schedules, alerts
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      as quota (plan, records, stored_bytes, schedules, alerts)
    on conflict (plan) do update set records = excluded.records, stored_bytes = excluded.stored_bytes,
      schedules = excluded.schedules, alerts = excluded.alerts`,
});

/** Stores the quotas of each plan, replacing those of an earlier start. */
export async function savePlanQuotas(db: Database, quotas: PlanQuotas): Promise<void> {
  await db.query(SAVE, [
    PLANS,
    PLANS.map((plan) => quotas[plan].records),
    PLANS.map((plan) => quotas[plan].storedBytes),
    PLANS.map((plan) => quotas[plan].schedules),
    PLANS.map((plan) => quotas[plan].alerts),
  ]);
}
