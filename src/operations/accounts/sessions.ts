import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { AppError, notFound } from "#domain/errors.ts";
import * as rows from "#db/queries/accounts/sessions.ts";
import type { SessionRecord } from "#db/queries/accounts/sessions.ts";
import type { Services } from "../context.ts";
import type { SignedIn } from "./session-ring.ts";
import { SESSION_SECONDS, accessOf, chooseWorkspace } from "./sign-in.ts";
import type { Session } from "./sign-in.ts";

/** For how long a token that was just spent is still good: two tabs may refresh at the same time. */
const GRACE_SECONDS = 10;

/**
 * Continues with a session: gives a new access token, and a new refresh token for the old one, which stays good until
 * the new one is used.
 * @throws AppError `unauthorized` when the session has ended, and for a refresh token whose successor was used: then
 * another client has a copy, and the session ends.
 */
export async function refresh(
  services: Services,
  refreshToken: string | undefined,
  workspaceId: string | undefined,
): Promise<Session> {
  if (refreshToken === undefined) throw new AppError("unauthorized", "There is no session. Sign in first.");
  const newToken = generateToken();
  const token = {
    hash: hashKey(refreshToken),
    newHash: hashKey(newToken),
    seconds: SESSION_SECONDS,
    graceSeconds: GRACE_SECONDS,
  };
  // Whole or not at all: a rejection for the workspace leaves the old token good.
  const session = await services.db.transaction(async (tx) => {
    const found = await rows.rotateRefreshToken(tx, token);
    if (found === undefined) return undefined;
    const { sessionId, userId, workspaceId: usual } = found;
    const chosen = await chooseWorkspace(tx, userId, { asked: workspaceId, usual });
    await rows.moveSession(tx, sessionId, chosen.workspace.id);
    return { ...chosen, sessionId };
  });
  if (session === undefined) throw new AppError("unauthorized", "The session has ended. Sign in again.");
  return { access: accessOf(services, session), refreshToken: newToken };
}

/** Ends the session of a refresh token, if there is one. */
export async function signOut({ db }: Services, refreshToken: string | undefined): Promise<void> {
  if (refreshToken !== undefined) await rows.endSessionOfToken(db, hashKey(refreshToken));
}

/** Lists a person's own sessions, newest first. */
export async function listSessions(
  { db }: Services,
  who: SignedIn,
): Promise<(SessionRecord & { readonly current: boolean })[]> {
  const sessions = await rows.listSessions(db, who.userId);
  return sessions.map((session) => ({ ...session, current: session.id === who.sessionId }));
}

/** Ends one of a person's own sessions. @throws AppError `not_found`. */
export async function revokeSession({ db }: Services, who: SignedIn, sessionId: string): Promise<void> {
  if (!(await rows.endSession(db, sessionId, who.userId))) throw notFound("Session");
}

/** Ends all of a person's own sessions but the one that asks. */
export async function revokeOtherSessions({ db }: Services, who: SignedIn): Promise<void> {
  await rows.endSessions(db, who.userId, who.sessionId);
}
