import type { ClientRule } from "#domain/accounts/client-rules.ts";
import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Database } from "#db/database.ts";
import { changeMember, lockMembers } from "#db/queries/accounts/members.ts";
import { createServiceAccount, findClientAccount } from "#db/queries/accounts/service-accounts.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import { newId } from "#lib/ids.ts";
import { networkCheck } from "#lib/security/allowed-networks.ts";
import { fromElsewhere } from "./from-elsewhere.ts";
import { OpenIdRejectedError, OpenIdUnavailableError } from "#protocols/oidc/explain-failure.ts";
import type { OpenIdProvider } from "#protocols/oidc/openid-provider.ts";

const MAX_CACHED = 1_000;

/** Resolves access tokens that the provider has issued to programs. */
export interface MachineCallers {
  /** Whether a token is none of ours, so that it may be the provider's; nothing is verified. */
  isForeign(token: string): boolean;
  /**
   * Returns the caller of a token: its client, with the role that the settings give it.
   * @throws AppError `unauthorized` for a token that is invalid or of a client without a rule; `forbidden` from an address
   * outside the networks of its account; `unavailable`.
   */
  authenticate(token: string, address: string): Promise<Principal>;
}

/** Creates the resolver. A client acts as the service account of its name, which is created when it first calls. */
export function createMachineCallers(
  db: Database,
  provider: OpenIdProvider,
  rules: readonly ClientRule[],
): MachineCallers {
  const byClient = new Map(rules.map((rule) => [rule.client, rule]));
  const callers = cachedRead(MAX_CACHED, (client) => findCaller(db, byClient.get(client)));
  return {
    isForeign: (token) => issuerOf(token) !== "muster",
    async authenticate(token, address) {
      const client = await verify(provider, token);
      const caller = await callers.read(client);
      if (caller === undefined) throw rejected(`The client ${client} has no role here (OIDC_CLIENTS).`);
      if (!caller.admits(address)) throw fromElsewhere(address);
      return caller.principal;
    },
  };
}

interface MachineCaller {
  readonly principal: Principal;
  /** Whether it may call from an address. */
  readonly admits: (address: string) => boolean;
}

async function findCaller(db: Database, rule: ClientRule | undefined): Promise<MachineCaller | undefined> {
  if (rule === undefined) return undefined;
  const { client, role } = rule;
  return db.transaction(async (tx) => {
    const found = await findClientAccount(tx, rule);
    if (found === undefined) throw rejected(`The workspace ${rule.workspace} of the client ${client} does not exist.`);
    const { workspaceId } = found;
    await lockMembers(tx, workspaceId, []);
    // Another process may have created it meanwhile.
    const known = await findClientAccount(tx, rule);
    const userId = known?.id ?? newId();
    if (known?.id == null) await createServiceAccount(tx, { id: userId, workspaceId, name: client, role, client });
    else if (known.role !== role) await changeMember(tx, { workspaceId, userId }, { role });
    const admits = known?.networks == null ? () => true : networkCheck(known.networks);
    return { principal: { userId, workspaceId, role, keyId: null, scopes: ["read", "write"] }, admits };
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
