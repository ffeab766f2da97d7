import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";
import { deleteExpiredMcpSignIns } from "../mcp-servers/mcp-sign-ins.ts";
import { deleteExpiredOAuthRecords, deleteUnusedApps } from "../access/connected-apps.ts";

const DELETE_EVENTS = statement({
  name: "delete-old-events",
  text: `
    delete from task_events e using (
      select o.log_id, o.seq from task_events o
      join task_streams s on s.log_id = o.log_id and s.closed
      where o.created_at < $1 limit $2
    ) old
    where e.log_id = old.log_id and e.seq = old.seq
    returning e.seq`,
});

/** Deletes up to `limit` events of closed attempts that are older than a time; returns the number. */
export async function deleteOldEvents(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_EVENTS, [before, limit])).length;
}

const DELETE_FIRES = statement({
  name: "delete-old-schedule-fires",
  text: `
    delete from schedule_fires f
    using (select id from schedule_fires where created_at < $1 limit $2) old where f.id = old.id
    returning f.id`,
});
const DELETE_DELIVERIES = statement({
  name: "delete-old-trigger-deliveries",
  text: `
    delete from trigger_deliveries d
    using (select id from trigger_deliveries where created_at < $1 limit $2) old where d.id = old.id
    returning d.id`,
});

/** Deletes up to `limit` rows each from the logs of schedules and of triggers; returns the larger number. */
export async function deleteOldLogs(db: Database, before: Date, limit: number): Promise<number> {
  const deleted = await Promise.all(
    [DELETE_FIRES, DELETE_DELIVERIES].map((statement) => db.query(statement, [before, limit])),
  );
  return Math.max(...deleted.map((rows) => rows.length));
}

const DELETE_AUDIT_LOGS = statement({
  name: "delete-old-audit-logs",
  // Steps from one workspace to the next by the index; the log has many entries for each.
  text: `
    with recursive logged as (
      (select workspace_id from audit_log order by workspace_id limit 1)
      union all
      select (select a.workspace_id from audit_log a where a.workspace_id > l.workspace_id order by a.workspace_id limit 1)
      from logged l where l.workspace_id is not null
    ),
    old as (
      select a.id from audit_log a
      where a.workspace_id in (
        select l.workspace_id from logged l
        where l.workspace_id is not null and not exists (select from workspaces w where w.id = l.workspace_id)
          and (select max(newest.at) from audit_log newest where newest.workspace_id = l.workspace_id) < $1)
      limit $2
    )
    delete from audit_log a using old where a.id = old.id returning a.id`,
});

/** Deletes up to `limit` audit entries of workspaces that were deleted before a time; returns the number. */
export async function deleteOldAuditLogs(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_AUDIT_LOGS, [before, limit])).length;
}

const DELETE_SESSIONS = statement({
  name: "delete-expired-sessions",
  text: `delete from sessions where expires_at < now()`,
});
const DELETE_RESETS = statement({
  name: "delete-expired-password-resets",
  text: `delete from password_resets where expires_at < now()`,
});
const DELETE_ATTEMPTS = statement({
  name: "delete-old-sign-in-attempts",
  text: `delete from sign_in_attempts where resets_at < now()`,
});
const DELETE_REFRESH_TOKENS = statement({
  name: "delete-old-refresh-tokens",
  text: `delete from refresh_tokens where spent_at < now() - interval '30 days'`,
});
const DELETE_SPENT = statement({
  name: "delete-spent-sign-ins",
  text: `delete from spent_sign_ins where expires_at < now()`,
});

/** Deletes expired account data: sessions, links, attempt counts, apps, unfinished sign-ins, and tokens revoked long ago. */
export async function deleteExpiredSignIns(db: Database): Promise<void> {
  await db.query(DELETE_SESSIONS);
  await db.query(DELETE_RESETS);
  await db.query(DELETE_ATTEMPTS);
  await db.query(DELETE_REFRESH_TOKENS);
  await db.query(DELETE_SPENT);
  await deleteUnusedApps(db);
  await deleteExpiredOAuthRecords(db);
  await deleteExpiredMcpSignIns(db);
}
