import { z } from "zod";
import { givenId } from "../given-id.ts";
import { givenTime } from "../given-time.ts";

/** The kinds of records in the audit log. */
export const AUDIT_KINDS = [
  "agent",
  "alert",
  "budget",
  "custom_tool",
  "document",
  "golden_case",
  "golden_gate",
  "google_account",
  "invitation",
  "key",
  "knowledge_base",
  "mcp_account",
  "mcp_server",
  "mcp_tool",
  "member",
  "page",
  "passkey",
  "person",
  "provider_key",
  "push_config",
  "remote_agent",
  "route",
  "run",
  "schedule",
  "service_account",
  "session",
  "team",
  "trello_channel",
  "trigger",
  "webhook",
  "workspace",
] as const;

/** The recorded actions; answers, cancellations and deletions of runs have the kind `run`. */
export const AUDIT_ACTIONS = [
  ...AUDIT_KINDS.filter((kind) => kind !== "run" && kind !== "person").flatMap((kind) =>
    (["created", "changed", "deleted"] as const).map((what) => `${kind}.${what}` as const),
  ),
  "agent.exported",
  "agent.gate_overridden",
  "key.expiring",
  "key.leaked",
  "key.rotated",
  "mcp_tool.approved",
  "person.erased",
  "question.answered",
  "question.link_created",
  "question.link_revoked",
  "run.cancelled",
  "run.deleted",
  "run.expired",
  "run.link_created",
  "run.link_revoked",
  "session.rejected",
  "team.exported",
  "workspace.erased",
  "workspace.exported",
  "workspace.held",
  "workspace.imported",
  "workspace.released",
] as const;

/** The query of the audit log. All filters must match. */
export const auditQuery = z.strictObject({
  actor: givenId.optional().describe("The person."),
  action: z.enum(AUDIT_ACTIONS).optional(),
  kind: z
    .enum(AUDIT_KINDS)
    .optional()
    .describe("The kind of record; answers, cancellations and deletions of runs are `run`."),
  since: givenTime.optional(),
  until: givenTime.optional().describe("Before this time."),
  workspace_id: givenId
    .optional()
    .describe("Another workspace, also a deleted one; for owners of the first workspace only."),
  format: z
    .enum(["json", "ndjson"])
    .default("json")
    .describe("ndjson: all entries that match, one in each line, without pages."),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional().describe("next_cursor of the previous page."),
});

/** See {@link auditQuery}. */
export type AuditQuery = z.output<typeof auditQuery>;

/** The end of a page of the log. */
export const auditCursor = z.strictObject({ at: givenTime, id: z.uuid() });

/** The end of a page of the log. */
export type AuditPosition = z.output<typeof auditCursor>;
