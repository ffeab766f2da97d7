import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { requireRole } from "#domain/access/role.ts";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { LINK_END_RULE, MAX_OPEN_LINKS, linkEnd } from "#domain/runs/run-link.ts";
import type { RunLinkInput, RunLinkRecord } from "#domain/runs/run-link.ts";
import * as rows from "#db/queries/runs/run-links.ts";
import { newId } from "#lib/ids.ts";
import { locate } from "./attempts.ts";
import type { Workspace } from "../workspace.ts";

/** A new link to a run; its token is stored as a hash only. */
export interface MadeRunLink {
  readonly id: string;
  readonly token: string;
  readonly expires_at: string;
}

/**
 * Creates a link that shows one attempt of a run without an account.
 * @throws AppError `forbidden` when the workspace does not allow links; `not_found`; `conflict` when the run has as many
 * open links as it can; `bad_request` for an expiry that is past or too far.
 */
export function createRunLink(workspace: Workspace, runId: string, wanted: RunLinkInput): Promise<MadeRunLink> {
  const { workspaceId, userId } = workspace.who;
  requireRole(workspace.who, "member");
  const expires_at = linkEnd(wanted.expires_at, Date.now());
  if (expires_at === undefined) throw invalid("body", [{ path: "expires_at", message: LINK_END_RULE }]);
  const token = generateToken();
  return workspace.transaction(async (tx) => {
    const { id: located, attempt } = await locate(tx, { id: runId, attempt: wanted.attempt });
    const id = newId();
    const of = { id, tokenHash: hashKey(token), workspaceId, runId: located, attempt, userId, expires_at };
    const { allowed, isFull } = await rows.insertRunLink(tx, { ...wanted, ...of });
    if (!allowed) {
      throw new AppError(
        "forbidden",
        "Links to runs are off in this workspace. An admin can allow them: Settings in the console, or run_links of PATCH /console/api/workspace.",
      );
    }
    if (isFull)
      throw new AppError(
        "conflict",
        `The run has ${MAX_OPEN_LINKS} open links, the most that it can have. Revoke one.`,
      );
    return { id, token, expires_at };
  });
}

/** Lists the links of a run, without their tokens. @throws AppError `not_found`. */
export function listRunLinks(workspace: Workspace, runId: string): Promise<readonly RunLinkRecord[]> {
  return workspace.transaction(async (tx) => rows.listRunLinks(tx, (await locate(tx, { id: runId })).id));
}

/** Revokes a link, immediately; one that was revoked before stays so. @throws AppError `not_found`. */
export function revokeRunLink(
  workspace: Workspace,
  { runId, id }: { readonly runId: string; readonly id: string },
): Promise<void> {
  requireRole(workspace.who, "member");
  return workspace.transaction(async (tx) => {
    const run = await locate(tx, { id: runId });
    if (!(await rows.revokeRunLink(tx, id, run.id))) throw notFound("Link");
  });
}
