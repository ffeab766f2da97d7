import { z } from "zod";
import { givenTime } from "#domain/given-time.ts";
import { generateToken, hashKey } from "#domain/access/api-key.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import { AppError, notFound } from "#domain/errors.ts";
import { approvers, requireApprover } from "#domain/tasks/approvers.ts";
import { answerFields } from "#domain/tasks/answer.ts";
import * as rows from "#db/queries/runs/answer-links.ts";
import type { LinkedQuestion } from "#db/queries/runs/answer-links.ts";
import { admitAttempt } from "../accounts/attempts.ts";
import type { Client } from "../accounts/client.ts";
import type { Services } from "../context.ts";
import { respond } from "./respond.ts";
import { personName } from "#domain/display-name.ts";
import type { Workspace } from "../workspace.ts";
import { bindWorkspace } from "../workspace.ts";

/** The body of POST /console/api/questions/{id}/link. */
export const linkInput = z.strictObject({
  expires_at: givenTime.optional().describe("The expiry of the link; by default that of the question."),
});

/** The body of POST /auth/answer-link. */
export const linkToken = z.strictObject({ token: z.string().min(1).max(200) });

/** The body of POST /auth/answer-link/answer. */
export const linkAnswer = answerFields
  .extend({
    ...linkToken.shape,
    name: personName().describe("The name of the person who answers; it is recorded."),
  })
  .strict();

/** A link to one question; its token is stored as a hash only. */
export interface AnswerLink {
  readonly token: string;
  readonly expires_at: string | null;
}

/** The content of a link: only the question, and its state. */
export type PublicQuestion = Omit<LinkedQuestion, "interactionId" | "subjectId" | "workspaceId" | "createdBy" | "role">;

/**
 * Creates a link that answers an open question once, without an account.
 * @throws AppError `forbidden` when the workspace does not allow links; `not_found`; `conflict` when the question is
 * closed; `bad_request` for an expiry in the past.
 */
export async function createAnswerLink(
  workspace: Workspace,
  { interactionId, expiresAt }: { readonly interactionId: string; readonly expiresAt: string | undefined },
): Promise<AnswerLink> {
  requireRole(workspace.who, "member");
  const token = generateToken();
  const link = { tokenHash: hashKey(token), interactionId, userId: workspace.who.userId, expiresAt: expiresAt ?? null };
  const { allowed, state, expires_at: end, isPast, approvers: wanted } = await rows.insertAnswerLink(workspace, link);
  if (!allowed) {
    throw new AppError(
      "forbidden",
      "Answer links are off in this workspace. An admin can allow them: Settings in the console, or answer_links of PATCH /console/api/workspace.",
    );
  }
  if (state === null) throw notFound("Question");
  if (state !== "open") throw new AppError("conflict", `The question is ${state}.`);
  if (isPast) throw new AppError("bad_request", "expires_at must be in the future");
  // A program that may not approve cannot do so by a link that it makes for itself.
  if (wanted !== null) requireApprover(approvers.parse(wanted), { keyId: workspace.who.keyId, isByLink: true });
  return { token, expires_at: end };
}

/** Reads the question of a link, open or closed. @throws AppError `not_found` for an invalid link. */
export async function readLinkedQuestion(services: Services, token: string, client: Client): Promise<PublicQuestion> {
  return shownOf(await find(services, token, client));
}

/**
 * Answers the question of a link, under the name that the person enters; the first answer wins. Returns the link's new
 * content: for a wizard, the next page.
 * @throws AppError `not_found` for an invalid link; otherwise like {@link respond}.
 */
export async function answerByLink(
  services: Services,
  { token, name, ...body }: z.output<typeof linkAnswer>,
  client: Client,
): Promise<PublicQuestion> {
  const { workspaceId, createdBy, role, subjectId, interactionId } = await find(services, token, client);
  const who: Principal = { workspaceId, userId: createdBy, role, keyId: null, scopes: ["read", "write"] };
  await respond(bindWorkspace(services, who), { subjectId, interactionId, body, via: "link", linkName: name });
  return shownOf(await find(services, token, client));
}

/** Invalid links count as guesses of the client. */
async function find({ db }: Services, token: string, { address }: Client): Promise<LinkedQuestion> {
  const succeeded = await admitAttempt(db, { link: address });
  const found = await rows.findLinkedQuestion(db, hashKey(token));
  if (found === undefined)
    throw new AppError("not_found", "This link is invalid, has expired, or its question is closed.");
  await succeeded();
  return found;
}

function shownOf(question: LinkedQuestion): PublicQuestion {
  const { workspace, asker, title, state, request, expires_at, answered_at, answered_by } = question;
  return { workspace, asker, title, state, request, expires_at, answered_at, answered_by };
}
