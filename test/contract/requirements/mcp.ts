import type { Requirements } from "./requirement.ts";

/** MCP: published agents as tools, and MCP servers as tools of agents. */
export const mcp = {
  "mcp.server.published-agents": {
    states: "The tools are the published agents of the key's workspace and no others.",
    source: "contract",
  },
  "mcp.server.tool-name": {
    states: "A tool's name is the agent's name in lower case, reduced to letters, digits and underscores.",
    source: "contract",
  },
  "mcp.server.tool-name-runs": {
    states: "A run of other characters becomes one underscore, and a name has at most 64 characters.",
    source: "decision",
  },
  "mcp.server.tool-name-collision": {
    states: "Agents of the same tool name get _2, _3 and so on in order of creation.",
    source: "decision",
  },
  "mcp.server.tool-description": {
    states: "A tool's description is the agent's.",
    source: "contract",
  },
  "mcp.server.tool-input": {
    states: "A tool's input is one string, message, and nothing else.",
    source: "contract",
  },
  "mcp.server.full-run": {
    states: "A call is a full run with the agent's model, prompt, tools, knowledge and voice.",
    source: "contract",
  },
  "mcp.server.unauthorized": {
    states: "Without a valid key the answer is 401 with WWW-Authenticate: Bearer.",
    source: "decision",
  },
  "mcp.server.stateless": {
    states: "No session is needed between calls.",
    source: "decision",
  },
  "mcp.server.both-eras": {
    states: "Clients of the stateless revision and of the earlier ones both work.",
    source: "decision",
  },
  "mcp.server.progress": {
    states: "Progress notifications are sent while the agent runs.",
    source: "decision",
  },
  "mcp.server.cancel": {
    states: "A cancelled call cancels the task.",
    source: "decision",
  },
  "mcp.server.failed-is-error": {
    states: "A failed task is a result with isError true.",
    source: "decision",
  },
  "mcp.server.cancel-anywhere": {
    states: "A client without a session cancels a call on whichever process its notification arrives.",
    source: "decision",
  },
  "mcp.server.rebinding": {
    states: "Over loopback, a request for another host's name, or from another origin, is rejected with 403.",
    source: "decision",
  },
  "mcp.server.killed-process": {
    states: "A call whose process is killed ends as a task on another process.",
    source: "goal",
  },
  "mcp.server.inspector": { states: "The command line of the MCP Inspector lists and calls.", source: "goal" },
  "mcp.server.ai-sdk": {
    states: "The MCP client of the AI SDK lists and calls.",
    source: "goal",
  },
  "mcp.server.conformance.2025-11-25": {
    states: "The official conformance suite passes for 2025-11-25, as far as a server of tools can pass it.",
    source: "goal",
  },
  "mcp.server.conformance.2026-07-28": {
    states: "The official conformance suite passes for 2026-07-28, as far as a server of tools can pass it.",
    source: "goal",
  },
  "mcp.client.tools-listed": {
    states: "An agent can list tools of a workspace's MCP server as mcp:server/tool.",
    source: "decision",
  },
  "mcp.client.streamable-http": {
    states: "Servers are reached by streamable HTTP.",
    source: "decision",
  },
  "mcp.client.sse-fallback": {
    states: "Servers that only speak SSE are reached by SSE.",
    source: "decision",
  },
  "mcp.client.list-changed": {
    states: "When a server notifies of other tools, its tools are listed again.",
    source: "goal",
  },
  "mcp.client.cancel": {
    states: "A cancelled task, or one whose call takes too long, cancels the call on the server.",
    source: "goal",
  },
  "mcp.client.reconnect": {
    states: "A server that was restarted is connected to again by the next call.",
    source: "goal",
  },
  "mcp.client.progress": {
    states: "Progress that a server reports is in the task's event log.",
    source: "goal",
  },
  "mcp.client.results": {
    states:
      "A result's text, structured content, images and resources reach the model; images become files of the task.",
    source: "goal",
  },
  "mcp.client.approval": {
    states: "A tool of a server can need a person's approval before each call.",
    source: "goal",
  },
  "mcp.client.names": {
    states: "A tool that does not exist is rejected with what there is; a name that providers do not take is mapped.",
    source: "goal",
  },
  "mcp.client.delete": {
    states: "A server whose tools agents list is not deleted; they are named.",
    source: "goal",
  },
  "mcp.client.crud": {
    states:
      "Servers are registered, changed, disabled, refreshed, tested and deleted, by name and URL, with secret headers.",
    source: "goal",
  },
  "mcp.client.import": {
    states: "An imported agent keeps the names of tools whose server the workspace does not have yet.",
    source: "goal",
  },
  "mcp.client.hostile": {
    states: "Lists, schemas and endless streams, and answers that are not MCP, are cut off with a clear error.",
    source: "goal",
  },
  "mcp.client.guard": {
    states: "Without the operator's permission no server in a private network is connected to.",
    source: "goal",
  },
  "mcp.client.restart": {
    states: "A finished call is not made again by the process that takes a task over.",
    source: "goal",
  },
  "mcp.client.two-processes": {
    states: "Every process calls the tools of a server, and knows what another one has learnt of it.",
    source: "goal",
  },
  "mcp.client.cli": {
    states: "MCP servers are managed on the command line.",
    source: "goal",
  },
} as const satisfies Requirements<"mcp">;
