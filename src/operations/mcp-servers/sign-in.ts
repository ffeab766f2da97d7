import { createHash, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { AppError, orNotFound } from "#domain/errors.ts";
import { requireWholeWorkspace } from "#domain/access/principal.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole, serviceIn } from "#domain/access/role.ts";
import type { Role } from "#domain/access/role.ts";
import { mcpClientContext, mcpSignInContext } from "#domain/tools/mcp-account.ts";
import type { AccountKind } from "#domain/tools/mcp-account.ts";
import * as accounts from "#db/queries/mcp-servers/mcp-accounts.ts";
import * as signIns from "#db/queries/mcp-servers/mcp-sign-ins.ts";
import type { McpSignIn, TakenMcpSignIn } from "#db/queries/mcp-servers/mcp-sign-ins.ts";
import { lockMcpServer, readMcpServer } from "#db/queries/mcp-servers/mcp-servers.ts";
import type { McpServerRow } from "#db/queries/mcp-servers/mcp-servers.ts";
import { approveAllMcpTools, listMcpTools } from "#db/queries/mcp-servers/mcp-tools.ts";
import { newId } from "#lib/ids.ts";
import { McpServerError } from "#protocols/mcp/mcp-server-error.ts";
import { SignInNeededError } from "#protocols/mcp/sign-in-needed.ts";
import type { SignInChallenge } from "#protocols/mcp/sign-in-needed.ts";
import type { Granted, SignInFlow } from "#protocols/mcp/sign-in.ts";
import type { Services } from "../context.ts";
import type { Workspace } from "../workspace.ts";
import { createAccountAuth, encryptTokens } from "./account-tokens.ts";
import { discoverTools, headersOf, recordConnectionError, saveDiscovered } from "./connect.ts";

/** The path of the redirect URI at authorization servers. */
export const MCP_CALLBACK = "/oauth/mcp/callback";
/** The path of our client's metadata, whose URL is its id where servers read it. */
export const MCP_CLIENT_METADATA = "/oauth/mcp/client.json";

const STATE_BYTES = 32;
const EXPIRED = "This sign-in has expired, or was finished before. Connect again.";
/** The role that connects an account. */
const ROLE_OF = { workspace: "admin", person: "member" } as const satisfies Record<AccountKind, Role>;
const found = orNotFound("MCP server");

/** What is kept of a sign-in: the flow, and how people signed in to the server when it began. */
type Begun = SignInFlow & Pick<McpServerRow, "oauth">;

/** A sign-in that waits for a person's consent. */
export interface BegunSignIn {
  /** The authorization server's page. */
  readonly url: string;
  /** Valid once, for ten minutes. */
  readonly state: string;
}

/** What begins a sign-in. */
export interface BeginSignIn {
  readonly id: string;
  /** The URL under which browsers reach the service. */
  readonly origin: string;
  readonly signal: AbortSignal;
}

/**
 * Begins to connect the caller's account at a server, or that of the workspace.
 * @throws AppError `not_found`; `forbidden`; `bad_request` when the server offers no sign-in, with the reason
 */
export async function beginMcpSignIn(workspace: Workspace, { id, origin, signal }: BeginSignIn): Promise<BegunSignIn> {
  requireWholeWorkspace(workspace.who);
  const server = found(await readMcpServer(asService(workspace), id));
  if (server.oauth === null)
    throw new AppError("bad_request", `The server ${server.name} has no accounts: set its oauth first.`);
  requireRole(workspace.who, ROLE_OF[server.oauth.account]);
  const { userId, workspaceId } = workspace.who;
  const state = randomBytes(STATE_BYTES).toString("base64url");
  const { url, flow } = await begin(workspace, { server, origin, state, signal }).catch(asBadRequest);
  const signInId = newId();
  const begun = JSON.stringify({ ...flow, oauth: server.oauth } satisfies Begun);
  const flowCiphertext = workspace.secrets.encrypt(begun, mcpSignInContext(workspaceId, signInId));
  await workspace.transaction(async (tx) => {
    const signIn = { id: signInId, workspaceId, serverId: id, userId, flowCiphertext, stateHash: hashOf(state) };
    await signIns.insertMcpSignIn(tx, signIn);
    if ("redirect_uris" in flow.client || server.oauth?.client_id !== null)
      await accounts.saveMcpClient(tx, id, encryptClient(workspace, { workspaceId, id }, flow.client));
  });
  return { url, state };
}

async function begin(
  workspace: Workspace,
  {
    server,
    origin,
    state,
    signal,
  }: Omit<BeginSignIn, "id"> & { readonly server: McpServerRow; readonly state: string },
): Promise<{ readonly url: string; readonly flow: SignInFlow }> {
  const { oauth, url } = server;
  const { workspaceId, userId } = workspace.who;
  const challenge = await challengeOf(workspace, { server, signal });
  const account = await accounts.findMcpAccount(workspace, server.id, oauth?.account === "person" ? userId : null);
  const { beginSignIn, oauthClient } = await import("#protocols/mcp/sign-in.ts");
  // An authorization server that has forgotten a client says so only to the person, who could then never connect.
  const isKnown = oauth?.client_id != null || (await accounts.hasConnectedAccount(workspace, server.id));
  const stored =
    server.client_ciphertext === null || !isKnown
      ? undefined
      : oauthClient.parse(
          JSON.parse(workspace.secrets.open(server.client_ciphertext, mcpClientContext(workspaceId, server.id))),
        );
  return beginSignIn(workspace.fetch, {
    url,
    redirectUri: origin + MCP_CALLBACK,
    clientMetadataUrl: origin + MCP_CLIENT_METADATA,
    state,
    client: stored,
    isGiven: oauth?.client_id != null,
    scope: oauth?.scope ?? undefined,
    // An account that could do too little asks for what was missing.
    wider: account?.status === "lost" ? (account.scope ?? undefined) : undefined,
    challenge,
    signal,
  });
}

/** What a server says when it is called without an account; nothing when it lets everybody in. */
async function challengeOf(
  workspace: Workspace,
  { server, signal }: { readonly server: McpServerRow; readonly signal: AbortSignal },
): Promise<SignInChallenge> {
  const { workspaceId } = workspace.who;
  const endpoint = { workspaceId, url: server.url, headers: headersOf(workspace, serviceIn(workspaceId), server) };
  try {
    await discoverTools(workspace, endpoint, signal);
    return {};
  } catch (error) {
    if (error instanceof SignInNeededError) return error.challenge;
    throw error;
  }
}

/** The answer to a sign-in. */
export interface AnsweredSignIn {
  /** The URL of the page to which the browser was sent, with its query. */
  readonly url: URL;
  /**
   * The caller who finishes it; absent when the state proves that it is the browser in which the person began.
   */
  readonly who?: Pick<Principal, "userId" | "workspaceId">;
  readonly signal: AbortSignal;
}

/**
 * Finishes {@link beginMcpSignIn}: stores the account, and lists the server's tools with it. Only the person who began may
 * finish: a link of someone else's must not connect a person's account for him.
 * @throws AppError `bad_request` for a state that is unknown, used or expired, a wrong issuer, and what the
 * authorization server rejects; `forbidden` for another person's sign-in
 */
export async function finishMcpSignIn(
  services: Pick<Services, "db" | "secrets" | "fetch" | "schemas">,
  { url, who, signal }: AnsweredSignIn,
): Promise<{ readonly workspaceId: string; readonly serverId: string }> {
  const stateHash = hashOf(url.searchParams.get("state") ?? "");
  if (who !== undefined) await requireOwner(services, stateHash, who);
  const begun = await signIns.takeMcpSignIn(services.db, stateHash);
  if (begun === undefined) throw new AppError("bad_request", EXPIRED);
  const { signInFlow, finishSignIn } = await import("#protocols/mcp/sign-in.ts");
  const { oauth, ...flow } = signInFlow
    .extend({ oauth: z.unknown() })
    .parse(JSON.parse(services.secrets.open(begun.flowCiphertext, mcpSignInContext(begun.workspaceId, begun.id))));
  const granted = await finishSignIn(services.fetch, flow, { answer: url.searchParams, signal }).catch(asBadRequest);
  const { server, accountId } = await store(services, begun, { granted, oauth });
  await listWith(services, { begun, server, accountId, signal });
  return begun;
}

async function requireOwner(
  { db }: Pick<Services, "db">,
  stateHash: string,
  { userId, workspaceId }: Pick<Principal, "userId" | "workspaceId">,
): Promise<void> {
  const owner = await signIns.ownerOfMcpSignIn(db, stateHash);
  // A workspace's sign-ins are unknown in others.
  if (owner?.workspaceId !== workspaceId) throw new AppError("bad_request", EXPIRED);
  if (owner.userId === userId) return;
  throw new AppError(
    "forbidden",
    "Another person began this sign-in. Connect your own account: a link from others would connect yours for them.",
  );
}

/** Stores the account, if server and person may still have it as when the sign-in began. */
async function store(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  { workspaceId, serverId, userId, role }: TakenMcpSignIn,
  { granted: { tokens, expiresIn, scope }, oauth }: { readonly granted: Granted; readonly oauth: unknown },
): Promise<{ readonly server: McpServerRow; readonly accountId: string }> {
  const id = newId();
  return db.inWorkspace({ ...serviceIn(workspaceId), userId }).transaction(async (tx) => {
    const server = found(await lockMcpServer(tx, serverId));
    if (server.oauth === null || !isDeepStrictEqual(server.oauth, oauth) || server.url !== tokens.url)
      throw new AppError("conflict", "The MCP server was changed by another request. Connect again.");
    const kind = server.oauth.account;
    requireRole({ role }, ROLE_OF[kind]);
    await accounts.replaceMcpAccount(tx, {
      id,
      workspaceId,
      serverId,
      userId: kind === "person" ? userId : null,
      name: server.name,
      tokensCiphertext: encryptTokens(secrets, { workspaceId, id }, tokens),
      scope,
      connectedBy: userId,
      expiresIn,
    });
    return { server, accountId: id };
  });
}

interface Connected {
  readonly begun: McpSignIn;
  readonly server: McpServerRow;
  readonly accountId: string;
  readonly signal: AbortSignal;
}

/** Lists the tools with a new account; the first ones are approved as they are. */
async function listWith(
  services: Pick<Services, "db" | "secrets" | "fetch" | "schemas">,
  { begun: { workspaceId, userId }, server, accountId, signal }: Connected,
): Promise<void> {
  const tenant = { ...serviceIn(workspaceId), userId };
  const db = services.db.inWorkspace(tenant);
  const isFirst = (await listMcpTools(db, server.id)).length === 0;
  const auth = createAccountAuth(services, { workspaceId, server, accountId });
  const endpoint = { workspaceId, url: server.url, headers: headersOf(services, tenant, server), auth };
  try {
    await saveDiscovered(services, tenant, { server, ...(await discoverTools(services, endpoint, signal)) });
    if (isFirst) await db.transaction((tx) => approveAllMcpTools(tx, server.id));
  } catch (error) {
    if (!(error instanceof McpServerError)) throw error;
    await recordConnectionError(services, tenant, { server, error });
  }
}

/** Encrypts the OAuth client of a server. */
export function encryptClient(
  { secrets }: Pick<Services, "secrets">,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  client: object,
): string {
  return secrets.encrypt(JSON.stringify(client), mcpClientContext(workspaceId, id));
}

/** The workspace as the service sees it: a member's role may not read secrets. */
function asService({ db, who }: Workspace) {
  return db.inWorkspace(serviceIn(who.workspaceId));
}

function hashOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}

function asBadRequest(error: unknown): never {
  if (!(error instanceof McpServerError)) throw error;
  throw new AppError("bad_request", error.message, { cause: error });
}
