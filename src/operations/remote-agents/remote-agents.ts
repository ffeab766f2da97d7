import { AppError, orNotFound } from "#domain/errors.ts";
import { remoteAgentContext } from "#domain/tools/remote-agent.ts";
import type { RemoteAgentCreate, RemoteAgentPatch } from "#domain/tools/remote-agent.ts";
import type { Tenant } from "#domain/access/role.ts";
import * as rows from "#db/queries/remote-agents/remote-agents.ts";
import type { RemoteAgentRow } from "#db/queries/remote-agents/remote-agents.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { RemoteAgentError, fetchCard } from "#protocols/a2a/remote/remote-card.ts";
import type { RemoteCard } from "#protocols/a2a/remote/remote-card.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Remote agent");

type Needed = Pick<Services, "db" | "secrets" | "fetch">;

/** Fetches the card of an agent to be registered. @throws AppError `bad_request` when it cannot be used. */
export function fetchRemoteCard(
  { fetch }: Pick<Needed, "fetch">,
  { base_url: baseUrl, token }: RemoteAgentCreate,
): Promise<RemoteCard> {
  return fetchCard(fetch, { baseUrl, token }).catch(asBadRequest);
}

/** Registers a remote agent with its card. @throws AppError `conflict` when the workspace has one with this URL. */
export async function registerRemoteAgent(
  workspace: Workspace,
  { base_url: baseUrl, token, is_enabled: isEnabled, card }: RemoteAgentCreate & { readonly card: RemoteCard },
): Promise<JsonText> {
  const id = newId();
  const { workspaceId, userId: createdBy } = workspace.who;
  const tokenCiphertext = encrypted(workspace, { workspaceId, id, token: token ?? null });
  return workspace.transaction(async (tx) => {
    await rows.insertRemoteAgent(tx, { id, workspaceId, baseUrl, card, isEnabled, tokenCiphertext, createdBy });
    return found(await readRecord(tx, "remote_agent", id));
  });
}

/** Reads a remote agent, without its token. @throws AppError `not_found`. */
export async function getRemoteAgent(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "remote_agent", id));
}

/** Enables or disables a remote agent, or changes its token. @throws AppError `not_found`. */
export async function updateRemoteAgent(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: RemoteAgentPatch },
): Promise<JsonText> {
  const { is_enabled: isEnabled, token } = patch;
  const { workspaceId } = workspace.who;
  const tokenCiphertext = token === undefined ? undefined : encrypted(workspace, { workspaceId, id, token });
  return workspace.transaction(async (tx) => {
    await rows.updateRemoteAgent(tx, { id, isEnabled, tokenCiphertext });
    return found(await readRecord(tx, "remote_agent", id));
  });
}

/**
 * Fetches the card of a remote agent again. On failure, the old card remains and the record has the reason.
 * @throws AppError `not_found`.
 */
export async function refreshRemoteAgent(workspace: Workspace, id: string): Promise<JsonText> {
  const agent = await rows.readRemoteAgent(workspace, id);
  await refreshCard(workspace, workspace.who, found(agent));
  return getRemoteAgent(workspace, id);
}

/** Fetches a card again and stores it; returns it, or undefined on failure. */
export async function refreshCard(
  services: Needed,
  tenant: Tenant,
  agent: RemoteAgentRow,
): Promise<RemoteCard | undefined> {
  const request = { baseUrl: agent.base_url, token: tokenOf(services, tenant, agent) };
  try {
    const card = await fetchCard(services.fetch, request);
    await services.db
      .inWorkspace(tenant)
      .transaction((tx) => rows.saveRemoteCard(tx, { id: agent.id, card, error: null }));
    return card;
  } catch (error) {
    if (!(error instanceof RemoteAgentError)) throw error;
    const { message } = error;
    await services.db
      .inWorkspace(tenant)
      .transaction((tx) => rows.saveRemoteCard(tx, { id: agent.id, card: null, error: message }));
    return undefined;
  }
}

/** Returns the bearer token for requests to a remote agent; undefined for none. */
export function tokenOf(
  { secrets }: Pick<Needed, "secrets">,
  { workspaceId }: Tenant,
  { id, token_ciphertext: ciphertext }: RemoteAgentRow,
): string | undefined {
  return ciphertext === null ? undefined : secrets.open(ciphertext, remoteAgentContext(workspaceId, id));
}

function encrypted(
  { secrets }: Pick<Needed, "secrets">,
  { workspaceId, id, token }: { readonly workspaceId: string; readonly id: string; readonly token: string | null },
): string | null {
  return token === null ? null : secrets.encrypt(token, remoteAgentContext(workspaceId, id));
}

function asBadRequest(error: unknown): never {
  if (!(error instanceof RemoteAgentError)) throw error;
  throw new AppError("bad_request", error.message, {
    cause: error,
    details: [{ path: "base_url", message: error.message }],
  });
}
