import { z } from "zod";
import { AUDIT_ACTIONS, AUDIT_KINDS, auditQuery } from "#domain/access/audit.ts";
import { auditLines, listAudit } from "#operations/access/audit.ts";
import { respondConsolePage } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const entry = z
  .strictObject({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z
      .strictObject({ id: z.uuid(), name: z.string() })
      .nullable()
      .describe("The person; null for the service or its operator."),
    key: z.strictObject({ id: z.uuid(), label: z.string().nullable() }).nullable().describe("The key of the request."),
    action: z.enum(AUDIT_ACTIONS),
    subject: z.strictObject({ kind: z.enum(AUDIT_KINDS), id: z.uuid().nullable(), name: z.string().nullable() }),
    changes: z
      .record(z.string(), z.array(z.unknown()).length(2).nullable())
      .describe("The values before and after, by field; null if secret or long."),
  })
  .meta({ id: "AuditEntry" });

const page = z.strictObject({ items: z.array(entry), next_cursor: z.string().nullable() }).meta({ id: "AuditPage" });

const MAX_PAGE = 200;

/** Adds /console/api/audit: the audit log. */
export default function addAudit(api: Api): void {
  addPath(api, "/console/api/audit", { tag: "Workspaces", endpoints: [list] });
}

const list = endpoint({
  method: "get",
  operationId: "listAudit",
  needs: "admin",
  summary:
    "List the audit log, newest first: changes of keys, members, budgets, routes and agents; answers; cancellations",
  query: auditQuery,
  success: { status: 200, schema: page },
  async handle({ c, workspace, query }) {
    const isWhole = query.format === "ndjson";
    const first = await listAudit(workspace, isWhole ? { ...query, limit: MAX_PAGE } : query);
    if (!isWhole) return respondConsolePage(c, first.items, first.nextCursor);
    const lines = auditLines(workspace, { query: { ...query, limit: MAX_PAGE }, first });
    return c.body(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), 200, {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": 'attachment; filename="audit.ndjson"',
    });
  },
});
