import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import {
  claimRefresh,
  disableConnection,
  readConnection,
  releaseRefresh,
  writeTokens,
} from "#db/queries/destinations/google-connections.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { isGrantRevoked, openTokens, encryptTokens } from "./google-account.ts";
import { requestTokens } from "./google-oauth.ts";
import type { GoogleOAuth } from "../ports.ts";

/** Tokens are refreshed this long before they expire. */
const AHEAD_SECONDS = 300;
/** The timeout of a refresh by one process. */
const REFRESH_MS = 15_000;
const POLL_INTERVAL_MS = 100;
const CONNECT_AGAIN = "Connect the Google account again.";

/** The services that access tokens need. */
export interface GoogleAccess {
  readonly db: Database;
  readonly secrets: SecretBox;
  readonly google: GoogleOAuth | undefined;
}

/**
 * Returns an access token of the workspace's account. One process refreshes it for all, before it expires. An account
 * whose grant was revoked is disabled. @throws Error whose message says what to do.
 */
export async function googleAccessToken(access: GoogleAccess, workspaceId: string): Promise<string> {
  const { db, secrets } = access;
  const deadline = performance.now() + REFRESH_MS;
  for (;;) {
    const connection = await readConnection(db, workspaceId);
    if (connection === undefined)
      throw new Error("No Google account is connected. Connect one in the console, at this route.");
    if (connection.status === "disabled") throw new Error(`${connection.error ?? "Disabled."} ${CONNECT_AGAIN}`);
    const { access: token, refresh } = openTokens(secrets, workspaceId, connection.tokensCiphertext);
    if (connection.expiresIn > AHEAD_SECONDS) return token;
    const claim = { forMs: REFRESH_MS, aheadSeconds: AHEAD_SECONDS };
    if (await claimRefresh(db, workspaceId, claim)) return refreshed(access, workspaceId, refresh);
    if (connection.expiresIn > 0) return token;
    if (performance.now() > deadline) throw new Error("The Google account's tokens could not be refreshed in time.");
    await sleep(POLL_INTERVAL_MS);
  }
}

async function refreshed({ db, secrets, google }: GoogleAccess, workspaceId: string, refresh: string): Promise<string> {
  try {
    if (google === undefined) throw new Error("GOOGLE_OAUTH_CLIENT_ID is no longer set.");
    const granted = await requestTokens(google, { grant_type: "refresh_token", refresh_token: refresh });
    const { access_token: access, refresh_token: next = refresh, expires_in: expiresIn } = granted;
    const tokensCiphertext = encryptTokens(secrets, workspaceId, { access, refresh: next });
    await writeTokens(db, workspaceId, { tokensCiphertext, expiresIn });
    return access;
  } catch (error) {
    if (!isGrantRevoked(error)) {
      await releaseRefresh(db, workspaceId);
      throw error;
    }
    const reason = "Google no longer accepts the account's grant (invalid_grant).";
    await disableConnection(db, workspaceId, reason);
    throw new Error(`${reason} ${CONNECT_AGAIN}`, { cause: error });
  }
}
