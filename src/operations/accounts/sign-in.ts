import type { SignInInput } from "#domain/accounts/account.ts";
import { generateToken, hashKey } from "#domain/access/api-key.ts";
import { AppError, notFound } from "#domain/errors.ts";
import type { Role } from "#domain/access/role.ts";
import type { Transaction } from "#db/database.ts";
import { recordFailedSignIn } from "#db/queries/access/audit-log.ts";
import { openSession } from "#db/queries/accounts/sessions.ts";
import type { OpenedBy } from "#db/queries/accounts/sessions.ts";
import { findAccountsByEmail, readAccount } from "#db/queries/accounts/users.ts";
import type { Account, Credentials } from "#db/queries/accounts/users.ts";
import { newId } from "#lib/ids.ts";
import { verifyPassword } from "#lib/security/password.ts";
import type { Services } from "../context.ts";
import { ACCESS_KEY_PURPOSE, ACCESS_SECONDS, signAccessToken } from "./access-token.ts";
import { admitAttempt, attemptFrom } from "./attempts.ts";
import type { Client } from "./client.ts";
import { requirePasswords } from "./password-sign-in.ts";
import { issueDeviceToken, readDeviceToken } from "./device-token.ts";

/** How long a session lasts after it was last refreshed, in seconds: 30 days. */
export const SESSION_SECONDS = 2_592_000;

/** The access of a signed-in person, as the API returns it. */
export interface Access {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Seconds. */
  readonly expires_in: number;
  readonly workspace_id: string;
  readonly role: Role;
  /** Whether the workspace requires a passkey, and the session was opened by a password alone: it stays closed. */
  readonly needs_passkey: boolean;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly workspaces: Account["workspaces"];
}

/** A session that was started or refreshed; its refresh token is sent as a cookie only. */
export interface Session {
  readonly access: Access;
  readonly refreshToken: string;
}

/** A session that was started in a browser, which is known from then on; the tokens are sent as cookies only. */
export interface BrowserSession extends Session {
  readonly deviceToken: string;
}

/**
 * Starts a session that can be refreshed.
 * @throws AppError `unauthorized` for a wrong e-mail address or password, without a difference; `rate_limit_exceeded`;
 * `forbidden` or `not_found` when the workspace is not available.
 */
export async function signIn(services: Services, input: SignInInput, client: Client): Promise<BrowserSession> {
  const person = await checkPassword(services, input, client);
  return beginBrowserSession(services, person, { workspaceId: input.workspace_id, client, openedBy: "password" });
}

/** What a session is begun for. */
interface Asked {
  readonly workspaceId: string | undefined;
  readonly client: Client;
  readonly openedBy: OpenedBy;
  /** The passkey that opens it. */
  readonly passkeyId?: string;
  /** Seconds after which it ends, however often it is refreshed. */
  readonly endsAfter?: number;
}

/**
 * Starts a session that can be refreshed, for a person whose credentials were checked. @throws AppError like {@link
 * signIn}.
 */
export async function beginBrowserSession(
  services: Services,
  person: Credentials,
  asked: Asked,
): Promise<BrowserSession> {
  const refreshToken = generateToken();
  const access = await beginSession(services, person, { ...asked, refreshToken });
  const of = { token: asked.client.deviceToken, email: person.email, now: Date.now() };
  const deviceId = readDeviceToken(services.secrets, of);
  return { access, refreshToken, deviceToken: issueDeviceToken(services.secrets, { ...of, deviceId }) };
}

/**
 * Issues an access token for a program: its session ends with it and cannot be refreshed.
 * @throws AppError like {@link signIn}.
 */
export async function issueToken(services: Services, input: SignInInput, client: Client): Promise<Access> {
  const person = await checkPassword(services, input, client);
  return beginSession(services, person, { workspaceId: input.workspace_id, client, openedBy: "password" });
}

async function beginSession(
  services: Services,
  person: Credentials,
  asked: Asked & { readonly refreshToken?: string },
): Promise<Access> {
  const { openedBy, passkeyId = null } = asked;
  const { account, workspace } = await chooseWorkspace(services.db, person.id, { asked: asked.workspaceId });
  const sessionId = newId();
  const begun = await openSession(services.db, {
    id: sessionId,
    userId: person.id,
    workspaceId: workspace.id,
    userAgent: asked.client.userAgent?.slice(0, 300) ?? null,
    seconds: asked.refreshToken === undefined ? ACCESS_SECONDS : SESSION_SECONDS,
    passwordHash: person.passwordHash,
    endsAfter: asked.endsAfter ?? null,
    refreshHash: asked.refreshToken === undefined ? null : hashKey(asked.refreshToken),
    openedBy,
    passkeyId,
  });
  if (!begun) throw passkeyId === null ? wrongPassword() : removedPasskey();
  return accessOf(services, { account, workspace, sessionId, byPassword: openedBy === "password" });
}

/**
 * Chooses the workspace: the requested one, else the default, else the one joined first.
 * @throws AppError `not_found` when the person is not a member of the requested one, `forbidden` without any workspace.
 */
export async function chooseWorkspace(
  tx: Pick<Transaction, "query">,
  userId: string,
  { asked, usual }: { readonly asked: string | undefined; readonly usual?: string },
): Promise<{ readonly account: Account; readonly workspace: Account["workspaces"][number] }> {
  const account = await readAccount(tx, userId);
  if (account === undefined) throw wrongPassword();
  const byId = (wanted: string | undefined) => account.workspaces.find(({ id }) => id === wanted?.toLowerCase());
  if (asked !== undefined && byId(asked) === undefined) throw notFound("Workspace");
  const workspace = byId(asked) ?? byId(usual) ?? account.workspaces[0];
  if (workspace === undefined) throw new AppError("forbidden", "This account is not a member of any workspace.");
  return { account, workspace };
}

/** Issues the access token of a session for one of the person's workspaces. */
export function accessOf(
  { secrets }: Services,
  of: {
    readonly account: Account;
    readonly workspace: Account["workspaces"][number];
    readonly sessionId: string;
    /** Whether a password alone opened the session. */
    readonly byPassword: boolean;
  },
): Access {
  const { account, workspace, sessionId, byPassword } = of;
  const claims = { userId: account.id, workspaceId: workspace.id, role: workspace.role, sessionId };
  return {
    access_token: signAccessToken(claims, secrets.derive(ACCESS_KEY_PURPOSE), Date.now()),
    token_type: "Bearer",
    expires_in: ACCESS_SECONDS,
    workspace_id: workspace.id,
    role: workspace.role,
    needs_passkey: byPassword && workspace.require_passkeys,
    user: { id: account.id, email: account.email, name: account.name },
    workspaces: account.workspaces,
  };
}

async function checkPassword(services: Services, input: SignInInput, client: Client): Promise<Credentials> {
  requirePasswords(services);
  const { db } = services;
  const succeeded = await admitAttempt(db, attemptFrom(services, input.email, client));
  const accounts = await findAccountsByEmail(db, input.email, input.workspace_id);
  const person = await findByPassword(accounts, input.password);
  if (person === undefined) {
    // By the address, known or not, so that the response time does not reveal whether an account exists.
    await recordFailedSignIn(db, input.email);
    throw wrongPassword();
  }
  await succeeded();
  return person;
}

/** Returns the first of some accounts that has this password. */
export async function findByPassword<Account extends Credentials>(
  accounts: readonly Account[],
  password: string,
): Promise<Account | undefined> {
  // Compared even without an account, so that the response time does not reveal whether one exists.
  if (accounts.length === 0) await verifyPassword(password, undefined);
  for (const account of accounts) if (await verifyPassword(password, account.passwordHash)) return account;
  return undefined;
}

function wrongPassword(): AppError {
  return new AppError("unauthorized", "The e-mail address or the password is wrong.");
}

/** The error for a passkey that is not stored, or no longer. */
export function removedPasskey(): AppError {
  return new AppError(
    "unauthorized",
    "This passkey is not known here: it was removed, or never added. Sign in with another one, or with your password.",
  );
}
