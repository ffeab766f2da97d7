import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { AppError, notFound } from "#domain/errors.ts";
import * as rows from "#db/queries/accounts/sessions.ts";
import type { SessionRecord } from "#db/queries/accounts/sessions.ts";
import type { Services } from "../context.ts";
import type { SignedIn } from "./session-ring.ts";
import { SESSION_SECONDS, accessOf, chooseWorkspace } from "./sign-in.ts";
import type { Session } from "./sign-in.ts";

/** How long a spent token is still accepted, in seconds: two tabs may refresh at the same time. */
const GRACE_SECONDS = 10;

/**
 * Refreshes a session: issues an access token, and a new refresh token. The old one stays valid until the new one is
 * used.
 * @throws AppError `unauthorized` when the session has ended, and for a refresh token whose successor was used: another
 * client then has a copy, and the session ends.
 */
export async function refresh(
  services: Services,
  refreshToken: string | undefined,
  workspaceId: string | undefined,
): Promise<Session> {
  if (refreshToken === undefined)
    throw new AppError("unauthorized", "There is no session. Sign in, or send email and password to POST /auth/token.");
  const newToken = generateToken();
  const token = {
    hash: hashKey(refreshToken),
    newHash: hashKey(newToken),
    seconds: SESSION_SECONDS,
    graceSeconds: GRACE_SECONDS,
  };
  // In one transaction: when the workspace is rejected, the old token stays valid.
  const session = await services.db.transaction(async (tx) => {
    const found = await rows.rotateRefreshToken(tx, token);
    if (found === undefined) return undefined;
    const { sessionId, userId, workspaceId: usual, byPassword } = found;
    const chosen = await chooseWorkspace(tx, userId, { asked: workspaceId, usual });
    await rows.moveSession(tx, sessionId, chosen.workspace.id);
    return { ...chosen, sessionId, byPassword };
  });
  if (session === undefined) throw new AppError("unauthorized", "The session has ended. Sign in again.");
  return { access: accessOf(services, session), refreshToken: newToken };
}

/**
 * Ends the session of a refresh token, if there is one.
 * @param returnTo where the provider sends the browser afterwards
 * @returns the page at which the person also signs out at the provider, if the session began there and it has one
 */
export async function signOut(
  { db, openId }: Services,
  refreshToken: string | undefined,
  returnTo: string,
): Promise<string | undefined> {
  if (refreshToken === undefined) return undefined;
  const beganAtProvider = await rows.endSessionOfToken(db, hashKey(refreshToken));
  // A provider that is down does not keep the session here from ending.
  return beganAtProvider ? openId?.findSignOut(returnTo).catch(() => undefined) : undefined;
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

/** Ends all of a person's own sessions except the caller's. */
export async function revokeOtherSessions({ db }: Services, who: SignedIn): Promise<void> {
  await rows.endSessions(db, who.userId, who.sessionId);
}
