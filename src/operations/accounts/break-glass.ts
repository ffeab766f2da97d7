import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { Database } from "#db/database.ts";
import { findOwner, firstWorkspace } from "#db/queries/access/first-start.ts";
import { savePasswordReset, takePasswordReset } from "#db/queries/accounts/password-resets.ts";
import { findCredentials } from "#db/queries/accounts/users.ts";
import type { Services } from "../context.ts";
import { admitAttempt } from "./attempts.ts";
import type { Client } from "./client.ts";
import { beginBrowserSession } from "./sign-in.ts";
import type { BrowserSession } from "./sign-in.ts";

/** How long the link is valid, in seconds. */
const LINK_SECONDS = 900;
/** How long the session lasts that it begins, in seconds. */
const SESSION_SECONDS = 3_600;

/**
 * Issues the token of a one-time link that signs the owner of the first workspace in without provider, password and passkey, for
 * an operator with database access; undefined before the first start.
 */
export async function issueBreakGlass(db: Database): Promise<string | undefined> {
  const workspace = await firstWorkspace(db);
  const userId = workspace && (await findOwner(db, workspace.id));
  if (userId === undefined) return undefined;
  const token = generateToken();
  await savePasswordReset(db, { userId, tokenHash: hashOf(token), seconds: LINK_SECONDS });
  return token;
}

/** Whether the first workspace requires passkeys, without which its owner does not get in. */
export async function requiresPasskeys(db: Database): Promise<boolean> {
  return (await firstWorkspace(db))?.requirePasskeys === true;
}

/**
 * Signs the owner in by the link, once, for an hour.
 * @throws AppError `not_found` for a link that was used, has expired or never existed; `rate_limit_exceeded`.
 */
export async function breakGlass(services: Services, token: string, client: Client): Promise<BrowserSession> {
  const succeeded = await admitAttempt(services.db, { address: client.address });
  const userId = await takePasswordReset(services.db, hashOf(token));
  const person = userId === undefined ? undefined : await findCredentials(services.db, userId);
  if (person === undefined)
    throw new AppError(
      "not_found",
      "This link is invalid, expired or already used. The operator makes another by muster setup-link.",
    );
  await succeeded();
  return beginBrowserSession(services, person, {
    workspaceId: undefined,
    client,
    openedBy: "setup_link",
    endsAfter: SESSION_SECONDS,
  });
}

/** No link for another purpose has this hash. */
function hashOf(token: string): string {
  return hashKey(`break-glass:${token}`);
}
