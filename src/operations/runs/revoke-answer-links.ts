import { z } from "zod";
import { givenTime } from "#domain/given-time.ts";
import { requireRole } from "#domain/access/role.ts";
import { notFound } from "#domain/errors.ts";
import { givenId } from "#domain/given-id.ts";
import { invalid } from "#domain/invalid.ts";
import * as rows from "#db/queries/runs/answer-links.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";
import type { Workspace } from "../workspace.ts";

const position = z.strictObject({ at: givenTime, id: z.uuid() });

/** The query of GET /console/api/answer-links. */
export const linksQuery = z.strictObject({
  question_id: givenId.optional().describe("Only the links to this question."),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional().describe("next_cursor of the previous page."),
});

/** Lists the links to questions, newest first, without their tokens. @throws AppError `bad_request` for a wrong cursor. */
export async function listAnswerLinks(
  workspace: Workspace,
  { question_id: questionId, limit, cursor }: z.output<typeof linksQuery>,
): Promise<{ readonly items: JsonText; readonly nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : readCursor(cursor, position);
  if (cursor !== undefined && after === undefined) {
    throw invalid("query", [{ path: "cursor", message: "must be the next_cursor of this list" }]);
  }
  const { items, last } = await rows.listAnswerLinks(workspace, { interactionId: questionId ?? null, after, limit });
  return { items, nextCursor: last === null ? null : writeCursor(position, last) };
}

/** Revokes a link, immediately; one that was revoked before stays so. @throws AppError `not_found`. */
export async function revokeAnswerLink(workspace: Workspace, id: string): Promise<void> {
  requireRole(workspace.who, "member");
  if (!(await rows.revokeAnswerLink(workspace, id))) throw notFound("Answer link");
}
