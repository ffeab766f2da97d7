import { AppError } from "../errors.ts";
import type { ConversationMessage } from "../tasks/run-job.ts";

/** The key of the depth in the metadata of an A2A message and in the `_meta` of an MCP call. */
const KEY = "muster/delegation-depth";

/**
 * How many delegations may lead from one to the next. Agents that delegate in a circle would never end. Each depth has
 * slots of its own.
 */
export const MAX_DELEGATION_DEPTH = 5;

type Metadata = Readonly<Record<string, unknown>>;

/** Returns the metadata of the calls that an agent makes to other agents while it answers a conversation. */
export function delegationMetadata(conversation: readonly ConversationMessage[] | null): Metadata {
  return { [KEY]: (conversation?.at(-1)?.delegationDepth ?? 0) + 1 };
}

/**
 * Returns how many delegations led to a message, by the metadata of its call, as a field of the message.
 * @throws AppError `conflict` above the maximum
 */
export function acceptDelegation(metadata: Metadata | null | undefined): Pick<ConversationMessage, "delegationDepth"> {
  const depth = metadata?.[KEY];
  if (typeof depth !== "number" || !Number.isInteger(depth) || depth < 1) return {};
  if (depth <= MAX_DELEGATION_DEPTH) return { delegationDepth: depth };
  throw new AppError(
    "conflict",
    `The work was delegated from agent to agent ${MAX_DELEGATION_DEPTH} times, the maximum. Do it without this agent.`,
  );
}
