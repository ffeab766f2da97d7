import { z } from "zod";
import { onlyPublishedAgent } from "#operations/conversations/a2a/card-agents.ts";
import { RpcError } from "#protocols/a2a/json-rpc.ts";
import type { Call } from "./call.ts";

const choice = z.looseObject({ agent_id: z.string() });

/**
 * Returns the agent of a call: that of the endpoint. At the instance's endpoint, it is the one in `metadata.agent_id`,
 * or else the only one that the workspace has published.
 * @throws RpcError `invalidParams` when neither applies.
 */
export async function chooseAgent({ workspace, agentId }: Call, ...metadata: readonly unknown[]): Promise<string> {
  if (agentId !== undefined) return agentId;
  for (const given of metadata) {
    const named = choice.safeParse(given);
    if (named.success) return named.data.agent_id.toLowerCase();
  }
  const only = await onlyPublishedAgent(workspace);
  if (only !== undefined) return only.id;
  throw new RpcError(
    "invalidParams",
    "Name the agent by metadata.agent_id (the id of its skill), or use its own endpoint /a2a/<agent id>.",
  );
}
