import { z } from "zod";
import { onlyPublishedAgent } from "#operations/protocols/a2a/card-agents.ts";
import { RpcError } from "./json-rpc.ts";
import type { Call } from "./call.ts";

const choice = z.looseObject({ agent_id: z.string() });

/**
 * The agent that a call is for: that of the endpoint; at the instance's endpoint the one that `metadata.agent_id`
 * names, or else the only one that the workspace has published.
 * @throws RpcError `invalidParams` when neither tells.
 */
export async function chooseAgent({ services, who, agentId }: Call, ...metadata: readonly unknown[]): Promise<string> {
  if (agentId !== undefined) return agentId;
  for (const given of metadata) {
    const named = choice.safeParse(given);
    if (named.success) return named.data.agent_id.toLowerCase();
  }
  const only = await onlyPublishedAgent(services, who);
  if (only !== undefined) return only.id;
  throw new RpcError(
    "invalidParams",
    "Name the agent by metadata.agent_id (the id of its skill), or use its own endpoint /a2a/<agent id>.",
  );
}
