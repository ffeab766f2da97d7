import type { AuditPosition, AuditQuery } from "#domain/access/audit.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Database, Reports, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const LIST = statement({
  name: "list-audit-log",
  text: `
    with found as (
      select a as entry, a.at, a.id, row_number() over (order by a.at desc, a.id desc) as n from audit_log a
      where a.workspace_id = $1 and ($2::uuid is null or a.actor_id = $2) and ($3::text is null or a.action = $3)
        and ($4::text is null or a.subject_kind = $4) and ($5::timestamptz is null or a.at >= $5)
        and ($6::timestamptz is null or a.at < $6)
        and ($7::timestamptz is null or (a.at, a.id) < ($7, $8::uuid))
      order by a.at desc, a.id desc limit $9::integer + 1
    )
    select
      coalesce((
        select string_agg(audit_entry(f.entry)::text, ',' order by f.n)
        from found f where f.n <= $9), '') as items,
      (select json_build_object('at', iso(f.at), 'id', f.id) from found f
       where f.n = $9 and (select count(*) from found) > $9) as last`,
});

/** A page of the audit log. */
export interface AuditPage {
  /** The entries as JSON, separated by commas. */
  readonly items: JsonText;
  /** The last entry if more follow; null on the last page. */
  readonly last: AuditPosition | null;
}

/** Lists changes in a workspace and their authors, newest first; `by` the operator also of a deleted workspace. */
export async function listAuditLog(
  db: Reports,
  { tenant, by }: { readonly tenant: Tenant; readonly by: "member" | "operator" },
  { actor = null, action = null, kind = null, since = null, until = null, limit, after }: Search,
): Promise<AuditPage> {
  const values = [tenant.workspaceId, actor, action, kind, since, until, after?.at ?? null, after?.id ?? null, limit];
  const [row] = await (by === "operator"
    ? db.query<AuditPage>(LIST, values)
    : db.inWorkspace(tenant).query<AuditPage>(LIST, values));
  if (row === undefined) throw new Error("A list query gives one row.");
  return row;
}

type Filter = "actor" | "action" | "kind" | "since" | "until";
type Search = { readonly [Key in Filter]?: AuditQuery[Key] | null | undefined } & {
  readonly limit: number;
  readonly after: AuditPosition | undefined;
};

const FAILED_SIGN_IN = statement({
  name: "audit-failed-sign-in",
  text: `select audit_failed_sign_in($1) is null as done`,
});

/** Records a wrong password for an e-mail address, in the workspaces of its accounts. */
export async function recordFailedSignIn(db: Database, email: string): Promise<void> {
  await db.query(FAILED_SIGN_IN, [email]);
}

const EXPORT = statement({ name: "audit-export", text: `select audit_export($1, $2, $3) is null as done` });

/** Records that the caller has downloaded a record as a file. */
export async function recordExport(
  tx: Transaction,
  { kind, id, name }: { readonly kind: "agent" | "team"; readonly id: string; readonly name: string },
): Promise<void> {
  await tx.query(EXPORT, [kind, id, name]);
}
