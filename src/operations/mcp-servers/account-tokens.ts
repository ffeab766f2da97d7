import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { mcpAccountContext } from "#domain/tools/mcp-account.ts";
import type { Tenant } from "#domain/access/role.ts";
import * as rows from "#db/queries/mcp-servers/mcp-accounts.ts";
import type { McpAccountRow } from "#db/queries/mcp-servers/mcp-accounts.ts";
import type { McpServerRow } from "#db/queries/mcp-servers/mcp-servers.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { McpAuth } from "#protocols/mcp/mcp-auth.ts";
import { McpAccountError } from "#protocols/mcp/mcp-server-error.ts";
import type { AccountTokens } from "#protocols/mcp/sign-in.ts";
import { wasSent } from "#lib/safe-fetch/was-sent.ts";
import type { Services } from "../context.ts";

/** Tokens are renewed this long before they expire. */
const AHEAD_SECONDS = 60;
/** How long one process may take for a refresh; it has its own time limit, which is shorter. */
const REFRESH_MS = 30_000;
const POLL_INTERVAL_MS = 50;
/** How many tokens of a connection are kept out of texts: those before them have expired. */
const MAX_USED = 10;
const AGAIN = "Connect it again.";
const UNKNOWN_END =
  "A refresh of its tokens was sent, but its answer was lost, and each refresh token can be used once.";

/** The services that tokens of accounts need. */
export type AccountServices = Pick<Services, "db" | "secrets" | "fetch">;

/** Creates the tokens of an account: always its current ones, which one process renews for all. */
export function createAccountAuth(
  services: AccountServices,
  {
    workspaceId,
    server,
    accountId,
  }: { readonly server: McpServerRow; readonly accountId: string } & Pick<Tenant, "workspaceId">,
): McpAuth {
  const ref = { workspaceId, id: accountId, server };
  const used: string[] = [];
  const take = (token: string) => {
    if (used.at(-1) !== token) used.push(token);
    if (used.length > MAX_USED) used.shift();
    return token;
  };
  return {
    used: () => Object.fromEntries(used.map((token, n) => [String(n), token])),
    token: async () => take(await currentToken(services, ref)),
    async renew(rejected) {
      take(await currentToken(services, ref, rejected));
    },
    async reject(rejected) {
      const row = await rows.readMcpAccount(services.db, ref);
      const isCurrent = row !== undefined && rejected.has((await openTokens(services.secrets, ref, row)).access);
      if (!isCurrent) return new McpAccountError("The server rejected tokens that were renewed meanwhile.");
      return lose(services, ref, {
        error: "The server rejects its new tokens.",
        tokensCiphertext: row.tokensCiphertext,
      });
    },
    async widen(scope) {
      const row = await rows.readMcpAccount(services.db, ref);
      const needed = [...new Set(`${row?.scope ?? ""} ${scope ?? ""}`.split(" "))].filter((word) => word !== "");
      const error = `The server asks for more than was granted${scope === undefined ? "" : `: ${scope}`}.`.slice(
        0,
        500,
      );
      return lose(services, ref, { error, scope: needed.join(" ") || null });
    },
  };
}

/** Says that an account was lost, and why. */
export function whyLost({ name }: Pick<McpServerRow, "name">, error: string | null): string {
  return `The account at ${name} no longer works: ${error ?? "It was revoked."}`;
}

/** The same as an error, with what to do. */
export function lostAccount({ name }: Pick<McpServerRow, "name">, error: string | null): McpAccountError {
  return new McpAccountError(`${whyLost({ name }, error)} ${AGAIN}`, { isLost: true });
}

interface AccountRef extends rows.McpAccountId {
  readonly server: McpServerRow;
}

/** @param rejected a token that the server rejects, which must not be returned again */
async function currentToken(services: AccountServices, ref: AccountRef, rejected?: string): Promise<string> {
  const deadline = performance.now() + REFRESH_MS;
  for (;;) {
    const row = await rows.readMcpAccount(services.db, ref);
    if (row === undefined)
      throw new McpAccountError(`The account at ${ref.server.name} was disconnected, or connected again meanwhile.`);
    if (row.status === "lost") throw lostAccount(ref.server, row.error);
    const tokens = await openTokens(services.secrets, ref, row);
    const isUsable = tokens.access !== rejected && (row.expiresIn === null || row.expiresIn > 0);
    // A token of a minute would be renewed for each call.
    const ahead = Math.min(AHEAD_SECONDS, (row.lifetime ?? Infinity) / 2);
    if (isUsable && (row.expiresIn === null || row.expiresIn > ahead)) return tokens.access;
    if (tokens.refresh === undefined) {
      if (isUsable) return tokens.access;
      const error = "The access token is not accepted any more, and the server gave none to renew it.";
      throw await lose(services, ref, { error, tokensCiphertext: row.tokensCiphertext });
    }
    if (row.isAbandoned && tokens.rotates)
      throw await lose(services, ref, { error: UNKNOWN_END, tokensCiphertext: row.tokensCiphertext });
    const claim = { ...ref, refreshId: randomUUID() };
    const { tokensCiphertext } = row;
    const isOurs = { tokensCiphertext, forMs: REFRESH_MS, again: !tokens.rotates };
    if (await rows.claimMcpRefresh(services.db, claim, isOurs)) return refresh(services, claim, tokens);
    if (isUsable) return tokens.access;
    if (performance.now() > deadline)
      throw new McpAccountError(`The tokens of the account at ${ref.server.name} could not be renewed in time.`);
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Renews tokens as the one process that may; no signal ends it, because its answer must be stored. */
async function refresh(
  services: AccountServices,
  claim: AccountRef & rows.McpRefresh,
  tokens: AccountTokens,
): Promise<string> {
  const { refreshTokens } = await import("#protocols/mcp/sign-in.ts");
  const { isAnswer, isGrantRejected, toOAuthError } = await import("#protocols/mcp/oauth-error.ts");
  try {
    const { tokens: next, expiresIn } = await refreshTokens(services.fetch, tokens);
    const tokensCiphertext = encryptTokens(services.secrets, claim, next);
    await rows.writeMcpTokens(services.db, claim, { tokensCiphertext, expiresIn });
    return next.access;
  } catch (error) {
    const explained = toOAuthError(error);
    if (isGrantRejected(error)) throw await lose(services, claim, { error: explained.message });
    if (isAnswer(error) || !wasSent(error) || !tokens.rotates) await rows.releaseMcpRefresh(services.db, claim);
    else throw await lose(services, claim, { error: `${UNKNOWN_END} ${explained.message}` });
    throw new McpAccountError(
      `The tokens of the account at ${claim.server.name} could not be renewed. ${explained.message}`,
      { cause: error },
    );
  }
}

async function lose(
  { db }: Pick<AccountServices, "db">,
  ref: AccountRef,
  lost: rows.LostMcpAccount,
): Promise<McpAccountError> {
  await rows.loseMcpAccount(db, ref, lost);
  return lostAccount(ref.server, lost.error);
}

/** Encrypts the tokens of an account. */
export function encryptTokens(
  secrets: SecretBox,
  { workspaceId, id }: rows.McpAccountId,
  tokens: AccountTokens,
): string {
  return secrets.encrypt(JSON.stringify(tokens), mcpAccountContext(workspaceId, id));
}

/** Decrypts them. They count for the URL for which they were granted only. @throws McpAccountError */
export async function openTokens(
  secrets: SecretBox,
  { workspaceId, id, server }: AccountRef,
  { tokensCiphertext }: Pick<McpAccountRow, "tokensCiphertext">,
): Promise<AccountTokens> {
  const { accountTokens } = await import("#protocols/mcp/sign-in.ts");
  const tokens = accountTokens.parse(JSON.parse(secrets.open(tokensCiphertext, mcpAccountContext(workspaceId, id))));
  if (tokens.url === server.url) return tokens;
  throw new McpAccountError(`The account at ${server.name} was connected for another URL. ${AGAIN}`);
}
