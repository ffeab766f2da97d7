import type { Requirements } from "./requirement.ts";

const LATER = "delegating to remote A2A agents is not built yet";

/** Remote agents and delegation to them. */
export const a2aClient = {
  "a2a-client.tool": {
    states: "The tool a2a_delegate takes agent_id and message and gives the remote agent's answer back.",
    source: "contract",
    open: LATER,
  },
  "a2a-client.register": {
    states: "A remote agent is registered by its base URL; its card is fetched and cached.",
    source: "contract",
    open: LATER,
  },
  "a2a-client.enable-disable": {
    states: "A registration can be enabled and disabled.",
    source: "contract",
    open: LATER,
  },
  "a2a-client.refresh": {
    states: "A registration can be refreshed, which fetches the card again.",
    source: "contract",
    open: LATER,
  },
  "a2a-client.delete": {
    states: "A registration can be deleted.",
    source: "contract",
    open: LATER,
  },
  "a2a-client.disabled-refused": {
    states: "Delegating to a disabled registration is refused.",
    source: "contract",
    open: LATER,
  },
  "a2a-client.discovery-order": {
    states: "agent-card.json is tried before agent.json.",
    source: "decision",
    open: LATER,
  },
  "a2a-client.both-families": {
    states: "The client speaks to servers of 0.3 and of 1.0.",
    source: "decision",
    open: LATER,
  },
  "a2a-client.bearer": {
    states: "The stored bearer token is sent.",
    source: "decision",
    open: LATER,
  },
  "a2a-client.streams": {
    states: "A remote agent that can stream is streamed.",
    source: "decision",
    open: LATER,
  },
  "a2a-client.cancel": {
    states: "Cancelling the local task cancels the remote one.",
    source: "decision",
    open: LATER,
  },
} as const satisfies Requirements<"a2a-client">;
