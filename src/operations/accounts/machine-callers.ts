import type { ClientRule } from "#domain/accounts/client-rules.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { findMappedWorkspaces } from "#db/queries/accounts/group-members.ts";
import { insertIdentity, useIdentity } from "#db/queries/accounts/identities.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import { OpenIdRejectedError, OpenIdUnavailableError } from "#protocols/oidc/explain-failure.ts";
import type { OpenIdProvider } from "#protocols/oidc/openid-provider.ts";
import { followGroups } from "./follow-groups.ts";
import { createUser } from "./sign-up.ts";

const MAX_CACHED = 1_000;

/** Resolves access tokens that the provider has issued to programs. */
export interface MachineCallers {
  /** Whether a token is none of ours, so that it may be the provider's; nothing is verified. */
  isForeign(token: string): boolean;
  /**
   * Returns the caller of a token: its client, with the role that the settings give it.
   * @throws AppError `unauthorized` for a token that is invalid or of a client without a rule; `unavailable`.
   */
  authenticate(token: string): Promise<Principal>;
}

/** Creates the resolver. A client acts as a member of its workspace that is named after it, created when it first calls. */
export function createMachineCallers(
  db: Database,
  provider: OpenIdProvider,
  rules: readonly ClientRule[],
): MachineCallers {
  const byClient = new Map(rules.map((rule) => [rule.client, rule]));
  const callers = cachedRead(MAX_CACHED, (client) => findCaller(db, provider, byClient.get(client)));
  return {
    isForeign: (token) => issuerOf(token) !== "muster",
    async authenticate(token) {
      const client = await verify(provider, token);
      const caller = await callers.read(client);
      if (caller === undefined) throw rejected(`The client ${client} has no role here (OIDC_CLIENTS).`);
      return caller;
    },
  };
}

async function findCaller(
  db: Database,
  provider: OpenIdProvider,
  rule: ClientRule | undefined,
): Promise<Principal | undefined> {
  if (rule === undefined) return undefined;
  const { client, workspace, role } = rule;
  return db.transaction(async (tx) => {
    // No person has this issuer.
    const identity = { issuer: `${provider.issuer}#clients`, subject: client };
    const known = await useIdentity(tx, identity);
    const account =
      known ?? (await createUser(tx, { email: client, name: client, passwordHash: null, emailProved: false }));
    if (known === undefined && !(await insertIdentity(tx, identity, account.id))) {
      throw new AppError("unavailable", `The client ${client} was added just now; send the request again.`);
    }
    await followGroups(tx, account.id, { rules: [{ group: client, workspace, role }], groups: [client] });
    const [found] = await findMappedWorkspaces(tx, [workspace], account.id);
    if (found === undefined) throw rejected(`The workspace ${workspace} of the client ${client} does not exist.`);
    return { userId: account.id, workspaceId: found.workspaceId, role, keyId: null, scopes: ["read", "write"] };
  });
}

async function verify(provider: OpenIdProvider, token: string): Promise<string> {
  try {
    return await provider.verifyAccessToken(token);
  } catch (error) {
    if (error instanceof OpenIdRejectedError) throw rejected(error.message);
    if (error instanceof OpenIdUnavailableError) throw new AppError("unavailable", error.message, { cause: error });
    throw error;
  }
}

function issuerOf(token: string): unknown {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return typeof claims === "object" && claims !== null && "iss" in claims ? claims.iss : "muster";
  } catch {
    return "muster";
  }
}

function rejected(message: string): AppError {
  return new AppError("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}
