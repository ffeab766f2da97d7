import type { Requirements } from "./requirement.ts";

/** MCP: published agents as tools, and MCP servers as tools of agents. */
export const mcp = {
  "mcp.server.published-agents": {
    states: "The tools are exactly the published agents of the key's workspace.",
    source: "contract",
  },
  "mcp.server.tool-name": {
    states: "A tool's name is the agent's name in lower case, reduced to letters, digits and underscores.",
    source: "contract",
  },
  "mcp.server.tool-name-runs": {
    states: "A sequence of other characters becomes one underscore, and a name has at most 64 characters.",
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
    states: "Without a valid key the response is 401 with WWW-Authenticate: Bearer.",
    source: "decision",
  },
  "mcp.server.stateless": {
    states: "Calls need no session.",
    source: "decision",
  },
  "mcp.server.both-eras": {
    states: "Clients of the stateless revision and of earlier revisions both work.",
    source: "decision",
  },
  "mcp.server.progress": {
    states: "Progress notifications are sent while the agent runs, at least every 15 seconds.",
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
    states: "A client without a session can cancel a call at any process.",
    source: "decision",
  },
  "mcp.server.ends-with-credential": {
    states: "An open call ends when its key is revoked, and its task is cancelled.",
    source: "decision",
  },
  "mcp.server.batch": {
    states: "A batch is -32600 with status 400, except for clients of the revision 2025-03-26.",
    source: "decision",
  },
  "mcp.server.json": {
    states: "A client that does not accept event streams by name gets its response as JSON.",
    source: "goal",
  },
  "mcp.server.rebinding": {
    states: "On loopback, a request for another host's name, or from another origin, is 403.",
    source: "decision",
  },
  "mcp.server.killed-process": {
    states: "The task of a call whose process is killed ends on another process.",
    source: "goal",
  },
  "mcp.server.inspector": { states: "The command line of the MCP Inspector lists and calls tools.", source: "goal" },
  "mcp.server.ai-sdk": {
    states: "The MCP client of the AI SDK lists and calls tools.",
    source: "goal",
  },
  "mcp.server.conformance.2025-11-25": {
    states:
      "The server passes all parts of the official conformance suite for 2025-11-25 that apply to a server of tools.",
    source: "goal",
  },
  "mcp.server.conformance.2026-07-28": {
    states:
      "The server passes all parts of the official conformance suite for 2026-07-28 that apply to a server of tools.",
    source: "goal",
  },
  "mcp.client.tools-listed": {
    states: "An agent can use a tool of a workspace's MCP server as mcp:server/tool.",
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
    states: "After a server's notification of changed tools, the service lists its tools again.",
    source: "goal",
  },
  "mcp.client.cancel": {
    states: "A task that is cancelled, or whose call times out, cancels the call on the server.",
    source: "goal",
  },
  "mcp.client.reconnect": {
    states: "After a server restarts, the next call reconnects to it.",
    source: "goal",
  },
  "mcp.client.progress": {
    states: "The task's event log contains the progress that a server reports.",
    source: "goal",
  },
  "mcp.client.results": {
    states:
      "A result's text, structured content, images and resources reach the model; images become files of the task.",
    source: "goal",
  },
  "mcp.client.readable": {
    states: "A result with blocks of unknown types, or without their fields, is kept as far as it can be read.",
    source: "goal",
  },
  "mcp.client.lost-session": {
    states: "A call in a session that is over is tried once in a new one, also if the server says so with status 200.",
    source: "goal",
  },
  "mcp.client.refresh-reconnects": {
    states: "A refresh also replaces the connections over which agents call.",
    source: "goal",
  },
  "mcp.client.foreign-schemas": {
    states:
      "A tool is offered without those checks of its schema that use another draft or another language's patterns.",
    source: "goal",
  },
  "mcp.client.param-headers": {
    states: "Arguments with x-mcp-header are sent as headers; a tool with a broken one is not called, and says why.",
    source: "goal",
  },
  "mcp.client.changes-audited": {
    states: "What a server changes, adds or removes among its tools is in the audit log, with the difference.",
    source: "goal",
  },
  "mcp.client.changes-held": {
    states: "With on_change hold, tools that a server changes or adds are not used until an admin has approved them.",
    source: "goal",
  },
  "mcp.client.approval": {
    states: "A tool of a server can need a person's approval before each call.",
    source: "goal",
  },
  "mcp.client.names": {
    states:
      "An unknown tool is rejected with a list of the available ones; a name that providers do not accept is mapped.",
    source: "goal",
  },
  "mcp.client.delete": {
    states: "A server whose tools agents use cannot be deleted; the error lists the agents.",
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
    states: "Invalid lists and schemas, endless streams, and responses that are not MCP end with a clear error.",
    source: "goal",
  },
  "mcp.client.guard": {
    states: "Servers in private networks are not contacted without the operator's permission.",
    source: "goal",
  },
  "mcp.client.restart": {
    states: "After a takeover a finished call is not repeated.",
    source: "goal",
  },
  "mcp.client.two-processes": {
    states: "Every process can call the tools of a server, and shares its list of tools with the others.",
    source: "goal",
  },
  "mcp.client.cli": {
    states: "The CLI manages MCP servers.",
    source: "goal",
  },
} as const satisfies Requirements<"mcp">;
