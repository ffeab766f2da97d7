import type { KeyScope } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { requireScope } from "#domain/access/principal.ts";
import type { StreamReach, StreamToken } from "#domain/access/stream-token.ts";
import { openStreamToken } from "#operations/access/stream-tokens.ts";
import { requestWorkspace } from "../request-workspace.ts";
import { isUnauthorized } from "../bearer-caller.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { HttpContext, HttpServices, WorkspaceCaller } from "../context.ts";
import { bearerCaller, bearerToken } from "../middleware/authenticate.ts";
import { clientAddress } from "../middleware/client-address.ts";
import { countRequest } from "../middleware/rate-limit.ts";
import { bearerError } from "../middleware/set-header.ts";

const NO_VALID_TOKEN = "Unauthorized — provide Bearer token";

/** What a request does: in a conversation, where it may send a message; with a team run; or anything else. */
export type Deed =
  | { readonly agentId: string; readonly threadId: string; readonly sends: boolean }
  | { readonly runId: string }
  | "other";

/** A caller of this surface. */
export interface StreamCaller extends WorkspaceCaller {
  /** @throws AppError `forbidden` for what the caller's stream token does not allow; a key allows all of its workspace. */
  allow(deed: Deed): void;
}

/**
 * Authenticates a key, an access token or a stream token.
 * @throws AppError `unauthorized`; `forbidden` without the scope; `rate_limit_exceeded`
 */
export async function streamCaller(services: HttpServices, c: HttpContext, scope: KeyScope): Promise<StreamCaller> {
  const text = bearerToken(c) ?? "";
  const token = text.includes(".") ? openStreamToken(services, text) : undefined;
  const caller =
    token === undefined
      ? await bearerCaller(services, c, { surface: "ag-ui", message: NO_VALID_TOKEN })
      : await tokenCaller(services, c, { text, token });
  requireScope(caller.principal, scope);
  await countRequest(services, c, caller.principal);
  return {
    ...caller,
    workspace: requestWorkspace(services, c, caller.principal),
    allow(deed) {
      if (token !== undefined && !covers(token.reach, deed)) throw new AppError("forbidden", refusal(token.reach));
    },
  };
}

/** An open stream goes on after its token has expired; it ends with the key. Tokens are for browsers, on any network. */
async function tokenCaller(
  services: HttpServices,
  c: HttpContext,
  { text, token }: { readonly text: string; readonly token: StreamToken },
): Promise<BearerCaller> {
  const recheck = () => services.keys.authenticateId(token.keyId, { surface: "ag-ui" });
  try {
    if (token.expiresAt <= Date.now())
      throw new AppError("unauthorized", "This stream token has expired: get another.");
    const principal = await recheck();
    c.set("workspaceId", principal.workspaceId);
    return { principal, token: text, address: clientAddress(c, services), recheck };
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const challenge = `Bearer ${bearerError("invalid_token", error.message)}`;
    throw new AppError("unauthorized", error.message, { cause: error, headers: { "WWW-Authenticate": challenge } });
  }
}

function covers(reach: StreamReach, deed: Deed): boolean {
  if (deed === "other") return false;
  if ("run_id" in reach) return "runId" in deed && deed.runId === reach.run_id;
  if ("runId" in deed) return false;
  return deed.agentId === reach.agent_id && deed.threadId === reach.thread_id && (reach.sends || !deed.sends);
}

function refusal(reach: StreamReach): string {
  if ("run_id" in reach) return `This stream token is for the team run ${reach.run_id} only.`;
  const { agent_id: agent, thread_id: thread, sends } = reach;
  return sends
    ? `This stream token is for the thread ${thread} of the agent ${agent} only.`
    : `This stream token only follows and answers the task ${thread} of the agent ${agent}.`;
}
