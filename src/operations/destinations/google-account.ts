import { createHash, createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { GOOGLE_SCOPES, googleTokensContext } from "#domain/destinations/google-account.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import * as rows from "#db/queries/destinations/google-connections.ts";
import { newId } from "#lib/ids.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { Services } from "../context.ts";
import { OAuthRejectedError, emailOf, requestTokens } from "./google-oauth.ts";
import type { GoogleOAuth } from "../ports.ts";
import type { Workspace } from "../workspace.ts";

const STATE_BYTES = 32;
const tokens = z.object({ access: z.string(), refresh: z.string() });

/** The tokens of an account. */
export type GoogleTokens = z.output<typeof tokens>;

/** A connection that waits for consent. */
export interface BegunConnection {
  /** Google's consent page. */
  readonly url: string;
  /** Valid once, for ten minutes. */
  readonly state: string;
}

/**
 * Starts to connect an account.
 * @throws AppError `bad_request` when the instance has no OAuth client.
 */
export async function beginGoogleConnection(workspace: Workspace, redirectUri: string): Promise<BegunConnection> {
  const google = clientOf(workspace);
  const state = randomBytes(STATE_BYTES).toString("base64url");
  const { workspaceId, userId } = workspace.who;
  await workspace.transaction((tx) =>
    rows.insertState(tx, { id: newId(), workspaceId, userId, redirectUri, stateHash: hashOf(state) }),
  );
  const url = new URL(google.authUrl);
  url.search = new URLSearchParams({
    client_id: google.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: GOOGLE_SCOPES.join(" "),
    state,
    // Without both parameters, Google returns no refresh token for an account that consented before.
    access_type: "offline",
    prompt: "consent",
    code_challenge: createHash("sha256").update(verifierOf(workspace.secrets, state)).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  return { url: url.href, state };
}

/** What Google returned for a started connection. */
export interface GivenConsent {
  readonly state: string;
  readonly code: string;
  /** The workspace that must have started the connection; needed unless the state proves who completes it. */
  readonly workspaceId?: string;
}

/**
 * Completes {@link beginGoogleConnection}. The caller must have made sure that the person who consented is the one who
 * started: otherwise a stranger's link could connect that person's account to the stranger's workspace.
 * @throws AppError `bad_request` for a state that is unknown, used or expired,
 * and when Google rejects it.
 */
export async function finishGoogleConnection(
  services: Pick<Services, "db" | "secrets" | "google">,
  { state, code, workspaceId: of }: GivenConsent,
): Promise<void> {
  const google = clientOf(services);
  const begun = await rows.takeState(services.db, { stateHash: hashOf(state), workspaceId: of });
  if (begun === undefined) throw new AppError("bad_request", "This link has expired or was used. Connect again.");
  const grant = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifierOf(services.secrets, state),
    redirect_uri: begun.redirectUri,
  };
  const granted = await requestTokens(google, grant).catch((error: unknown) => {
    throw new AppError("bad_request", error instanceof Error ? error.message : String(error), { cause: error });
  });
  const { access_token: access, refresh_token: refresh } = granted;
  if (refresh === undefined) throw new AppError("bad_request", "Google granted no refresh token. Connect again.");
  const { workspaceId, userId } = begun;
  await rows.upsertConnection(services.db, {
    id: newId(),
    workspaceId,
    userId,
    email: emailOf(granted.id_token),
    tokensCiphertext: encryptTokens(services.secrets, workspaceId, { access, refresh }),
    expiresIn: granted.expires_in,
  });
}

/** The connected account as the API shows it. @throws AppError `not_found`. */
export async function getGoogleAccount(workspace: Workspace): Promise<string> {
  return orNotFound("Google account")(await workspace.transaction((tx) => rows.connectionRecord(tx)));
}

/** Disconnects the account; later deliveries that need it fail. @throws AppError `not_found`. */
export async function disconnectGoogle(workspace: Workspace): Promise<void> {
  if (!(await workspace.transaction((tx) => rows.deleteConnection(tx)))) throw notFound("Google account");
}

/** Encrypts tokens for a workspace. */
export function encryptTokens(secrets: SecretBox, workspaceId: string, given: GoogleTokens): string {
  return secrets.encrypt(JSON.stringify(given), googleTokensContext(workspaceId));
}

/** Decrypts the tokens of a workspace. */
export function openTokens(secrets: SecretBox, workspaceId: string, encrypted: string): GoogleTokens {
  return tokens.parse(JSON.parse(secrets.open(encrypted, googleTokensContext(workspaceId))));
}

/** True if Google reports that the account's grant was revoked or has expired. */
export function isGrantRevoked(error: unknown): boolean {
  return error instanceof OAuthRejectedError && error.code === "invalid_grant";
}

function clientOf({ google }: Pick<Services, "google">): GoogleOAuth {
  if (google !== undefined) return google;
  const settings = "GOOGLE_OAUTH_CLIENT_ID and GOOGLE_OAUTH_CLIENT_SECRET";
  throw new AppError("bad_request", `This instance has no OAuth client for Google; the operator sets ${settings}.`);
}

/** The PKCE verifier is derived from the state, so that it need not be stored (RFC 7636). */
function verifierOf(secrets: SecretBox, state: string): string {
  return createHmac("sha256", secrets.derive("google-pkce")).update(state).digest("base64url");
}

function hashOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}
