import { z } from "zod";
import { givenId } from "../given-id.ts";

/** What entries of the audit log are about. */
export const AUDIT_KINDS = [
  "agent",
  "budget",
  "invitation",
  "key",
  "member",
  "provider_key",
  "route",
  "run",
  "webhook",
  "workspace",
] as const;

/** What is done to them; a question is answered and a run cancelled, and both are of the kind `run`. */
export const AUDIT_ACTIONS = [
  ...AUDIT_KINDS.filter((kind) => kind !== "run").flatMap((kind) =>
    (["created", "changed", "deleted"] as const).map((what) => `${kind}.${what}` as const),
  ),
  "key.rotated",
  "question.answered",
  "run.cancelled",
] as const;

const time = z.iso.datetime({ offset: true });

/** The query of the audit log. All filters have to fit. */
export const auditQuery = z.strictObject({
  actor: givenId.optional().describe("The person."),
  action: z.enum(AUDIT_ACTIONS).optional(),
  kind: z.enum(AUDIT_KINDS).optional().describe("What was changed; answered questions and cancelled runs are `run`."),
  since: time.optional(),
  until: time.optional().describe("Before this time."),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional().describe("next_cursor of the page before."),
});

/** See {@link auditQuery}. */
export type AuditQuery = z.output<typeof auditQuery>;

/** Where a page of the log ends. */
export const auditCursor = z.strictObject({ at: z.iso.datetime(), id: z.uuid() });

/** Where a page of the log ends. */
export type AuditPosition = z.output<typeof auditCursor>;
