import { z } from "zod";
import { auditCursor } from "#domain/access/audit.ts";
import type { AuditQuery } from "#domain/access/audit.ts";
import { requireRole } from "#domain/access/role.ts";
import { invalid } from "#domain/invalid.ts";
import { listAuditLog } from "#db/queries/access/audit-log.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { requireOperator } from "../accounts/instance-workspaces.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";
import type { Workspace } from "../workspace.ts";

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
  workspace: Workspace,
  { workspace_id: asked, ...query }: AuditQuery,
): Promise<AuditItems> {
  requireRole(workspace.who, "admin");
  const isOther = asked !== undefined && asked !== workspace.who.workspaceId;
  if (isOther) await requireOperator(workspace.db, workspace.who);
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, auditCursor);
  if (query.cursor !== undefined && after === undefined) {
    throw invalid("query", [{ path: "cursor", message: "must be the next_cursor of this list" }]);
  }
  const log = isOther
    ? ({ tenant: { ...workspace.who, workspaceId: asked }, by: "operator" } as const)
    : ({ tenant: workspace.who, by: "member" } as const);
  const { db } = workspace;
  // A whole log is a report.
  const { items, last } = await listAuditLog(query.format === "ndjson" ? db.reports : db, log, { ...query, after });
  return { items, nextCursor: last === null ? null : writeCursor(auditCursor, last) };
}

/** All entries from a first page on, one in each line; the other pages are read as they are sent. */
export async function* auditLines(
  workspace: Workspace,
  { query, first }: { readonly query: AuditQuery; readonly first: AuditItems },
): AsyncGenerator<string> {
  for (let page = first; ; page = await listAudit(workspace, { ...query, cursor: page.nextCursor ?? undefined })) {
    const entries = z.array(z.unknown()).parse(JSON.parse(`[${page.items}]`));
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    if (page.nextCursor === null) return;
  }
}
