import { z } from "zod";
import { auditCursor } from "#domain/access/audit.ts";
import type { AuditQuery } from "#domain/access/audit.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { invalid } from "#domain/invalid.ts";
import { listAuditLog } from "#db/queries/access/audit-log.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { requireOperator } from "../accounts/instance-workspaces.ts";
import type { Services } from "../context.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";

/** A page of the log. */
interface AuditItems {
  readonly items: JsonText;
  readonly nextCursor: string | null;
}

/**
 * Lists the audit log of the caller's workspace, newest first; for the operator that of any, also of a deleted one.
 * @throws AppError `forbidden` for roles below admin; `bad_request` for a cursor of another list.
 */
export async function listAudit(
  { db }: Pick<Services, "db">,
  who: Principal,
  { workspace_id: asked, ...query }: AuditQuery,
): Promise<AuditItems> {
  requireRole(who, "admin");
  const isOther = asked !== undefined && asked !== who.workspaceId;
  if (isOther) await requireOperator(db, who);
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, auditCursor);
  if (query.cursor !== undefined && after === undefined) {
    throw invalid("query", [{ path: "cursor", message: "must be the next_cursor of this list" }]);
  }
  const log = isOther
    ? ({ tenant: { ...who, workspaceId: asked }, by: "operator" } as const)
    : ({ tenant: who, by: "member" } as const);
  const { items, last } = await listAuditLog(db, log, { ...query, after });
  return { items, nextCursor: last === null ? null : writeCursor(auditCursor, last) };
}

/** All entries from a first page on, one in each line; the other pages are read as they are sent. */
export async function* auditLines(
  services: Pick<Services, "db">,
  who: Principal,
  { query, first }: { readonly query: AuditQuery; readonly first: AuditItems },
): AsyncGenerator<string> {
  for (let page = first; ; page = await listAudit(services, who, { ...query, cursor: page.nextCursor ?? undefined })) {
    const entries = z.array(z.unknown()).parse(JSON.parse(`[${page.items}]`));
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    if (page.nextCursor === null) return;
  }
}
