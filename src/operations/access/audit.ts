import { auditCursor } from "#domain/access/audit.ts";
import type { AuditQuery } from "#domain/access/audit.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { invalid } from "#domain/invalid.ts";
import { listAuditLog } from "#db/queries/access/audit-log.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";

/**
 * Lists the audit log of the workspace, newest first.
 * @throws AppError `forbidden` for roles below admin; `bad_request` for a cursor of another list.
 */
export async function listAudit(
  services: Pick<Services, "db">,
  who: Principal,
  query: AuditQuery,
): Promise<{ readonly items: JsonText; readonly nextCursor: string | null }> {
  requireRole(who, "admin");
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, auditCursor);
  if (query.cursor !== undefined && after === undefined) {
    throw invalid("query", [{ path: "cursor", message: "must be the next_cursor of this list" }]);
  }
  const { items, last } = await listAuditLog(services.db, who, { ...query, after });
  return { items, nextCursor: last === null ? null : writeCursor(auditCursor, last) };
}
