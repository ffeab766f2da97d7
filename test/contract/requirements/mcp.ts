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
  "mcp.server.elicitation": {
    states: "A client that shows forms is asked the questions of its call, and its answers answer them.",
    source: "goal",
  },
  "mcp.server.elicitation.open": {
    states: "A question whose form the person closes is open for others; the call continues with their answer.",
    source: "goal",
  },
  "mcp.server.elicitation.approvers": {
    states: "A client is not asked for what only certain people may approve.",
    source: "goal",
  },
  "mcp.server.elicitation.misfit": {
    states: "An answer that does not match its question is an error; the question stays open.",
    source: "goal",
  },
  "mcp.server.elicitation.votes": {
    states:
      "A form of a connected app is its person's vote on a question that a rule asks of several; who may not vote is told why.",
    source: "goal",
  },
  "mcp.server.errors": {
    states: "A client's mistake is told with its reason; a fault of the service is logged, and told without.",
    source: "goal",
  },
  "mcp.server.list-changed": {
    states: "A client that listens hears when its tools change, at any process.",
    source: "goal",
  },
  "mcp.server.multi-round": {
    states: "A call that asks its client continues with the client's next request, at any process, and only once.",
    source: "goal",
  },
  "mcp.server.tasks": {
    states: "A call of a client with the tasks extension becomes a task, which every process finds again.",
    source: "goal",
  },
  "mcp.server.tasks.cancel": {
    states: "A client cancels the task of its call.",
    source: "goal",
  },
  "mcp.server.tasks.input": {
    states: "A task of a call asks its client, unless that shows no forms, and takes its answer once.",
    source: "goal",
  },
  "mcp.server.tasks.own": {
    states: "A key finds the tasks of its own calls only.",
    source: "goal",
  },
  "mcp.server.tasks.earlier": {
    states: "Clients of the revision 2025-11-25 call with a task, read its result, list and cancel tasks.",
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
  "mcp.oauth.discovery": {
    states:
      "Without a token the MCP endpoint leads to its metadata (RFC 9728), and that to this service's authorization server (RFC 8414).",
    source: "goal",
  },
  "mcp.server.card": {
    states: "A host's catalogue leads to the endpoint's server card (SEP-2127), which says what the endpoint says.",
    source: "goal",
  },
  "mcp.oauth.consent": {
    states:
      "A person sees which app asks for what and where it is, and allows it for one of their workspaces, or denies it.",
    source: "goal",
  },
  "mcp.oauth.consent.browser": {
    states:
      "An app's request is decided only by a signed-in person in the browser that began it, on a page that nobody can frame.",
    source: "goal",
  },
  "mcp.oauth.consent.once": {
    states:
      "A request leads to one connected app, however often it is decided: the last decision before its code counts.",
    source: "goal",
  },
  "mcp.oauth.scopes": {
    states:
      "An app has the scopes that its person allows, within the person's current role, and can be limited to agents.",
    source: "goal",
  },
  "mcp.oauth.step-up": {
    states:
      "A call of an app that may only read is 403 with insufficient_scope, by which official clients ask for more.",
    source: "goal",
  },
  "mcp.oauth.passkey": {
    states: "A session that a password opened connects no app to a workspace that requires a passkey.",
    source: "goal",
  },
  "mcp.oauth.conformance": {
    states: "The authorization server passes the scenarios of the official conformance suite.",
    source: "goal",
  },
  "mcp.oauth.audience": {
    states: "An app's token opens the MCP endpoint only, under the URL for which it was issued (RFC 8707).",
    source: "goal",
  },
  "mcp.oauth.list": {
    states:
      "A person lists and disconnects their own apps, an admin those of the workspace; the audit log says who did.",
    source: "goal",
  },
  "mcp.oauth.member-removed": {
    states: "When a person leaves a workspace, their apps lose it at once.",
    source: "goal",
  },
  "mcp.oauth.refresh": {
    states: "A refresh token is replaced at each use; a second use after more than 30 seconds disconnects the app.",
    source: "goal",
  },
  "mcp.oauth.outage": {
    states: "An outage is told to programs as one, and costs them no token.",
    source: "goal",
  },
  "mcp.oauth.code-once": {
    states: "A code is redeemed once; its second use revokes the tokens that it gave.",
    source: "goal",
  },
  "mcp.oauth.forgotten": {
    states: "Registrations that nobody connects for a day, and apps that are not used for 30 days, are deleted.",
    source: "goal",
  },
  "mcp.oauth.two-processes": {
    states: "Codes count once over all processes; sessions that share a refresh token renew it together.",
    source: "goal",
  },
  "mcp.oauth.restart": {
    states: "What an app began at one process goes on at another, also after a restart: consent, codes, tokens.",
    source: "goal",
  },
  "mcp.oauth.revocation": {
    states: "A program disconnects itself by revoking either of its tokens (RFC 7009), and no other program.",
    source: "goal",
  },
  "mcp.oauth.secrets": {
    states: "Codes and tokens of apps are stored as hashes.",
    source: "goal",
  },
  "mcp.oauth.errors.request": {
    states:
      "A wrong request for consent is an OAuth error at the program's redirect URI, or on a page if that is unknown.",
    source: "goal",
  },
  "mcp.oauth.errors.site": {
    states:
      "A browser returns to a program's site or scheme only after a person's decision; an error before it is shown here.",
    source: "goal",
  },
  "mcp.oauth.errors.token": {
    states: "A wrong request for tokens is an OAuth error, never a 500.",
    source: "goal",
  },
  "mcp.oauth.errors.expired": {
    states: "Codes, access tokens and refresh tokens end in time; an expired access token leads to the metadata again.",
    source: "goal",
  },
  "mcp.oauth.registration": {
    states: "A program registers itself (RFC 7591) as a public client with safe redirect URIs.",
    source: "goal",
  },
  "mcp.oauth.registration.off": {
    states: "The operator can switch registration off.",
    source: "goal",
  },
  "mcp.oauth.loopback": {
    states: "A redirect URI on a loopback address may have any port (RFC 8252).",
    source: "goal",
  },
  "mcp.oauth.rate-limit": {
    states: "Registrations, requests for consent and failed requests for tokens are limited by network address.",
    source: "goal",
  },
  "mcp.oauth.clients": {
    states:
      "The official MCP client connects by the URL alone, with the redirect URIs of Claude, ChatGPT, VS Code, Cursor and the Inspector.",
    source: "goal",
  },
  "mcp.oauth.clients.earlier": {
    states: "So does the official client of the first generation, for revisions with a handshake.",
    source: "goal",
  },
  "mcp.oauth.inspector": {
    states: "The command line of the MCP Inspector connects by the URL alone, by OAuth.",
    source: "goal",
  },
  "mcp.oauth.documents": {
    states: "A program is known by its client id metadata document, which is fetched once and kept for a while.",
    source: "goal",
  },
  "mcp.oauth.documents.refused": {
    states: "A document that is wrong, too large, redirected or without TLS counts for nothing.",
    source: "goal",
  },
  "mcp.oauth.documents.guard": {
    states: "Documents at private addresses are not fetched.",
    source: "goal",
  },
  "mcp.account.workspace": {
    states: "A workspace signs in to an MCP server by OAuth once; the calls of all runs use its account.",
    source: "goal",
  },
  "mcp.account.person": {
    states: "The account of a person is used only in runs that he started signed in, or by an app that he connected.",
    source: "goal",
  },
  "mcp.account.approver": {
    states: "A call that a signed-in person approved may use that person's account.",
    source: "goal",
  },
  "mcp.account.channel": {
    states: "No account of a person is used for who writes or presses a button in a channel.",
    source: "goal",
  },
  "mcp.account.crossed": {
    states: "Two people who call the same agent at the same time never use each other's tokens.",
    source: "goal",
  },
  "mcp.account.secret": {
    states: "Tokens and clients of accounts are stored encrypted and shown nowhere.",
    source: "goal",
  },
  "mcp.account.waits": {
    states: "A call without an account waits for people, who are told which account is missing and why.",
    source: "goal",
  },
  "mcp.account.lost": {
    states: "An account whose tokens are rejected is shown as lost, with the reason, until it is connected again.",
    source: "goal",
  },
  "mcp.account.tools": {
    states: "People see, and their runs are offered, the tools that their own account shows, and no other's.",
    source: "goal",
  },
  "mcp.account.hostile": {
    states: "A hostile authorization server gets no code elsewhere, no request inside, and no page that runs here.",
    source: "goal",
  },
  "mcp.account.crash": {
    states: "A process that dies in a refresh costs one new sign-in: its run asks for it once, then goes on.",
    source: "goal",
  },
  "mcp.account.operator": {
    states: "A metric counts the lost accounts of the installation, and the doctor names their servers.",
    source: "goal",
  },
  "mcp.account.scope": {
    states: "A server that asks for more than was granted loses its account; who connects again is asked for more.",
    source: "decision",
  },
  "mcp.account.url": {
    states: "Accounts end with a change of the server's URL or OAuth settings.",
    source: "decision",
  },
  "mcp.account.disconnect": {
    states: "People disconnect their own account, admins any; who leaves a workspace leaves no tokens behind.",
    source: "decision",
  },
  "mcp.account.client": {
    states: "A client that an admin has registered is used instead of a new one.",
    source: "goal",
  },
  "mcp.account.refresh-once": {
    states: "One process renews the tokens of an account for all: a refresh token is never sent twice.",
    source: "goal",
  },
  "mcp.account.refresh-unknown": {
    states:
      "A refresh whose answer is lost makes the account lost; one that a server answers with an error is repeated.",
    source: "decision",
  },
  "mcp.account.sign-in": {
    states: "A sign-in's state is valid once, for ten minutes, for the person who began it.",
    source: "goal",
  },
  "mcp.account.issuer": {
    states: "An answer that names another issuer is rejected before its code is sent anywhere (RFC 9207).",
    source: "goal",
  },
  "mcp.account.console": {
    states: "The console connects a server that needs a sign-in, shows lost accounts, and disconnects them.",
    source: "goal",
  },
  "mcp.account.muster": {
    states: "A workspace signs in to the MCP endpoint of a Muster; a disconnected account is revoked there.",
    source: "decision",
  },
  "mcp.account.conformance": {
    states: "The official suite's scenarios for authorization by clients pass.",
    source: "goal",
  },
} as const satisfies Requirements<"mcp">;
