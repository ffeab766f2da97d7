import type { Requirements } from "./requirement.ts";

/** Remote agents and delegation to them. */
export const a2aClient = {
  "a2a-client.tool": {
    states: "The tool a2a_delegate takes agent_id and message and returns the remote agent's reply.",
    source: "contract",
  },
  "a2a-client.register": {
    states: "A remote agent is registered by its base URL; its card is fetched and cached.",
    source: "contract",
  },
  "a2a-client.enable-disable": {
    states: "A registration can be enabled and disabled.",
    source: "contract",
  },
  "a2a-client.refresh": {
    states: "A registration can be refreshed, which fetches the card again.",
    source: "contract",
  },
  "a2a-client.delete": {
    states: "A registration can be deleted.",
    source: "contract",
  },
  "a2a-client.disabled-refused": {
    states: "Delegating to a disabled registration is rejected.",
    source: "contract",
  },
  "a2a-client.discovery-order": {
    states: "agent-card.json is tried before agent.json.",
    source: "decision",
  },
  "a2a-client.minimal-card": {
    states: "An agent whose card has name, description, version and skills only is called at its base URL.",
    source: "contract",
  },
  "a2a-client.both-families": {
    states: "The client supports servers of version 0.3 and of version 1.0, over JSON-RPC and, of 1.0, HTTP+JSON.",
    source: "decision",
  },
  "a2a-client.bearer": {
    states: "The stored bearer token is sent.",
    source: "decision",
  },
  "a2a-client.streams": {
    states: "Replies of a remote agent that supports streaming are streamed.",
    source: "decision",
  },
  "a2a-client.cancel": {
    states: "Cancelling the local task cancels the remote one.",
    source: "decision",
  },
  "a2a-client.listed": {
    states: "The tool's description lists the enabled remote agents; without any it is not offered.",
    source: "goal",
  },
  "a2a-client.answers-own-question": {
    states: "A person's answer is only sent to the question that the person was asked; another open one is asked.",
    source: "goal",
  },
  "a2a-client.answers-once": {
    states: "An answer that was about to be sent when a process died is not sent again.",
    source: "goal",
  },
  "a2a-client.files": {
    states: "Files that a remote agent sends inline become files of the task; the model reads which, or why not.",
    source: "goal",
  },
  "a2a-client.no-streams": {
    states: "A remote agent that announces streams but rejects the method gets the message without a stream.",
    source: "goal",
  },
  "a2a-client.relative-url": {
    states: "A relative URL in a card is resolved against the card's own URL.",
    source: "goal",
  },
  "a2a-client.cancel-waiting": {
    states: "A remote task that waits for a person is cancelled as soon as its task ends or its agent is deleted.",
    source: "goal",
  },
  "a2a-client.asks": {
    states: "A remote agent that needs input becomes a question to a person, whose answer is sent to it.",
    source: "goal",
  },
  "a2a-client.progress": {
    states: "The event log contains the remote agent's partial output while it works.",
    source: "goal",
  },
  "a2a-client.timeout": {
    states: "A remote agent that takes longer than REMOTE_AGENT_TIMEOUT is cancelled; the call fails.",
    source: "goal",
  },
  "a2a-client.restart": {
    states: "After a restart the service polls the remote task; it does not send the message again.",
    source: "goal",
  },
  "a2a-client.outage": {
    states: "A delegation waits while the database is unavailable; the model sees no such error.",
    source: "goal",
  },
  "a2a-client.abandoned": {
    states: "If work ends while no process runs it, its remote task is cancelled later.",
    source: "goal",
  },
  "a2a-client.broken-stream": {
    states: "After a stream aborts, the service polls the remote task.",
    source: "goal",
  },
  "a2a-client.bounded": { states: "Endless streams are aborted with a clear error.", source: "goal" },
  "a2a-client.bad-cards": {
    states: "Cards that are missing, endless or unusable are rejected with the reason.",
    source: "goal",
  },
  "a2a-client.official-servers": {
    states:
      "The client handles replies, questions, failures and cancellation of servers built with the official SDKs for 1.0 and 0.3.",
    source: "goal",
  },
  "a2a-client.hostile": {
    states: "A call with an invalid remote reply fails with the reason, never with an internal error.",
    source: "goal",
  },
  "a2a-client.guarded": {
    states: "Requests to remote agents in private networks are rejected unless ALLOW_PRIVATE_URLS is set.",
    source: "goal",
  },
  "a2a-client.admins": { states: "Admins manage remote agents; members see them.", source: "goal" },
  "a2a-client.cli": { states: "muster remote-agents manages remote agents.", source: "goal" },
  "a2a-client.table": { states: "The table API shows remote_agents without tokens.", source: "decision" },
  "a2a-client.circle": {
    states:
      "Agents that delegate in a circle, over A2A or MCP, are stopped after five delegations, and need no slots that they wait for.",
    source: "goal",
  },
  "a2a-client.two-processes": {
    states: "A process can continue, answer and cancel a delegation that another process started.",
    source: "goal",
  },
} as const satisfies Requirements<"a2a-client">;
