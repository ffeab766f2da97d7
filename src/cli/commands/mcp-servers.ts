import { CONNECTION, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import type { Schemas } from "#client/index.ts";
import { asBody } from "../arguments/as-body.ts";
import { parseJsonObject, readJsonObject } from "../arguments/read-json.ts";
import { requireChange } from "../arguments/require-change.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { openSession } from "../service/session.ts";
import type { Output } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";

const SERVER = { server: { type: "positional", description: "Id or name" } } as const;
const FIELDS = {
  headers: {
    type: "string",
    valueHint: "file",
    description: "JSON file with headers of every request (read from a file so secrets stay out of shell history)",
  },
  timeout: { type: "string", valueHint: "seconds", description: "How long one call may take" },
  "on-change": {
    type: "string",
    valueHint: "use|hold",
    description: "Use tools that the server changes or adds later, or hold them for an admin",
  },
  account: {
    type: "string",
    valueHint: "workspace|person",
    description: "Sign in by OAuth: with one account for the workspace, or with each person's own",
  },
  scope: { type: "string", description: "The scopes to ask for; by default those that the server names" },
  client: {
    type: "string",
    valueHint: "file",
    description: "JSON file with the client_id and client_secret of an OAuth client that you have registered",
  },
} as const;

const list = defineList({
  summary: "List MCP servers, newest first",
  args: {},
  read: (muster, { limit }) => muster.listMcpServers({ limit }),
  none: () => noneYet("MCP server"),
  row: (server) => ({ NAME: server.name, TOOLS: server.tool_count, STATE: stateOf(server), URL: server.url }),
});

const add = defineRequest({
  summary: "Register an MCP server; agents list its tools as mcp:<name>/<tool>",
  args: {
    name: { type: "string", required: true, description: "Lower-case letters and digits, as in github" },
    endpoint: { type: "positional", description: "Its URL" },
    ...FIELDS,
  },
  send: async ({ muster, out }, args) =>
    muster.createMcpServer(asBody({ name: args.name, url: args.endpoint, ...(await fieldsOf(args, out)) })),
  print({ out }, server) {
    const name = safeText(server.name);
    out.line(`Registered MCP server ${name} with ${countOfTools(server)} (${server.id})`);
    if (server.account_status === "missing") out.note(`Connect an account: muster mcp-servers connect ${name}`, "dim");
    else out.note(`List them: muster mcp-servers tools ${name}`, "dim");
  },
});

const get = defineRequest({
  summary: "Show an MCP server",
  args: SERVER,
  send: async ({ muster }, { server }) => muster.getMcpServer({ id: await resolveId(muster, "MCP server", server) }),
  print: ({ out }, server) =>
    out.fields({
      id: server.id,
      name: server.name,
      url: server.url,
      headers: Object.keys(server.headers).join(", ") || "none",
      server: [server.server_name, server.server_version].filter((word) => word !== null).join(" "),
      protocol:
        server.protocol_version === null ? null : `MCP ${server.protocol_version} over ${server.transport ?? "HTTP"}`,
      account: accountOf(server),
      "account error": server.account_error,
      tools: String(server.tool_count),
      timeout: `${server.timeout_ms / 1_000} s`,
      state: server.is_enabled ? "enabled" : "disabled",
      "tools listed": server.tools_fetched_at,
      "last error": server.last_error,
    }),
});

const tools = defineRequest({
  summary: "List the tools of an MCP server",
  args: SERVER,
  send: async ({ muster }, { server }) =>
    muster.listMcpServerTools({ id: await resolveId(muster, "MCP server", server) }),
  print({ out }, listed) {
    const rows = listed.map((tool) => [tool.agents_list_it_as, tool.issue ?? firstLine(tool.description)]);
    if (rows.length === 0) out.note("The server has no tools.");
    else out.table(["FOR AGENTS", "DESCRIPTION"], rows);
  },
});

const approve = defineRequest({
  summary: "Approve the held tools of an MCP server as they are listed",
  args: { ...SERVER, tool: { type: "string", description: "The name of one tool; by default all held ones" } },
  async send({ muster }, { server, tool }) {
    const id = await resolveId(muster, "MCP server", server);
    const held = (await muster.listMcpServerTools({ id })).filter((each) => each.held);
    const chosen = tool === undefined ? held : held.filter(({ name }) => name === tool);
    const approved = Object.fromEntries(chosen.map(({ name, hash }) => [name, hash]));
    if (chosen.length > 0) await muster.updateMcpServer({ id }, { approve_tools: approved });
    return { approved: chosen.map(({ name }) => name) };
  },
  print({ out }, { approved }) {
    if (approved.length === 0) out.note("No such tool is held.");
    else out.line(`Approved ${approved.map(safeText).join(", ")}`);
  },
});

const refresh = defineCommand({
  summary: "Connect to an MCP server again and list its tools",
  args: { ...SERVER, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const server = await muster.refreshMcpServer({ id: await resolveId(muster, "MCP server", args.server) });
    const error = server.last_error ?? server.account_error;
    if (args.json) out.json(server);
    else if (error === null) out.line(`${safeText(server.name)} has ${countOfTools(server)}`);
    else out.line(`Kept the old tools of ${safeText(server.name)}: ${safeText(error)}`);
    return error === null ? EXIT.ok : EXIT.failed;
  },
});

const connect = defineRequest({
  summary: "Connect your account at an MCP server, or that of the workspace",
  args: SERVER,
  send: async ({ muster }, { server }) =>
    muster.connectMcpServer({ id: await resolveId(muster, "MCP server", server) }),
  print({ out }, { url }) {
    out.note("Open this page in a browser within ten minutes, and agree:", "dim");
    out.line(url);
    out.note("Then finish with the address of the last page: muster mcp-servers finish '<address>'", "dim");
  },
});

const finish = defineRequest({
  summary: "Finish connecting an account with the address of the page to which the browser was sent",
  args: { address: { type: "positional", description: "The page's whole URL, in quotes" } },
  send: ({ muster }, { address }) => muster.finishMcpServer({ url: address }),
  print({ out }, server) {
    const name = safeText(server.name);
    out.line(`Connected ${accountOf(server) ?? "an account"} at ${name}, which has ${countOfTools(server)}`);
  },
});

const accounts = defineRequest({
  summary: "List the accounts at an MCP server",
  args: SERVER,
  send: async ({ muster }, { server }) =>
    muster.listMcpServerAccounts({ id: await resolveId(muster, "MCP server", server) }),
  print({ out }, listed) {
    const rows = listed.map(({ id, person, status, error }) => [
      person === null ? "the workspace" : safeText(person.name),
      status,
      error === null ? "" : safeText(error),
      id,
    ]);
    if (rows.length === 0) out.note("Nobody has connected an account.");
    else out.table(["OF", "STATE", "REASON", "ID"], rows);
  },
});

const disconnect = defineRequest({
  summary: "Disconnect an account at an MCP server: your own, or as an admin any",
  args: { ...SERVER, account: { type: "positional", description: "The account's id" } },
  async send({ muster }, { server, account }) {
    const id = await resolveId(muster, "MCP server", server);
    await muster.disconnectMcpServer({ id, account_id: account });
    return { disconnected: account };
  },
  print: ({ out }, { disconnected }) => out.line(`Disconnected the account ${safeText(disconnected)}`),
});

const test = defineCommand({
  summary: "Make one real call of an MCP server's tool and show what a model would read",
  args: {
    ...SERVER,
    tool: { type: "positional", description: "The tool's name on the server" },
    arguments: { type: "string", valueHint: "json", default: "{}", description: "The arguments as a JSON object" },
    ...CONNECTION,
  },
  async run(args) {
    const given = parseJsonObject(args.arguments, "the value of --arguments");
    const { muster, out } = openSession(args);
    const result = await muster.testMcpServerTool(
      { id: await resolveId(muster, "MCP server", args.server) },
      { tool: args.tool, arguments: given },
    );
    if (args.json) out.json(result);
    else {
      out.line(safeText(result.output ?? result.error ?? ""));
      out.note(`${result.status} in ${result.duration_ms} ms`, "dim");
    }
    return result.status === "success" ? EXIT.ok : EXIT.failed;
  },
});

const update = defineRequest({
  summary: "Change the URL, headers, accounts or time limit of an MCP server",
  args: { ...SERVER, endpoint: { type: "string", description: "Its URL" }, ...FIELDS },
  async send({ muster, out }, args) {
    const changes = { ...(await fieldsOf(args, out)), url: args.endpoint };
    requireChange(changes);
    return muster.updateMcpServer({ id: await resolveId(muster, "MCP server", args.server) }, asBody(changes));
  },
  print: ({ out }, { name }) => out.line(`Updated MCP server ${safeText(name)}`),
});

const enable = defineRequest({
  summary: "Offer the tools of a disabled MCP server again",
  args: SERVER,
  send: async ({ muster }, { server }) =>
    muster.updateMcpServer({ id: await resolveId(muster, "MCP server", server) }, { is_enabled: true }),
  print: ({ out }, { name }) => out.line(`Enabled MCP server ${safeText(name)}`),
});

const disable = defineRequest({
  summary: "Stop offering the tools of an MCP server to agents",
  args: SERVER,
  send: async ({ muster }, { server }) =>
    muster.updateMcpServer({ id: await resolveId(muster, "MCP server", server) }, { is_enabled: false }),
  print: ({ out }, { name }) => out.line(`Disabled MCP server ${safeText(name)}`),
});

const remove = defineDeletion({
  kind: "MCP server",
  effect: "No agent can use its tools any more.",
  remove: (muster, id) => muster.deleteMcpServer({ id }),
});

interface FieldArgs {
  readonly headers?: string | undefined;
  readonly timeout?: string | undefined;
  readonly "on-change"?: string | undefined;
  readonly account?: string | undefined;
  readonly scope?: string | undefined;
  readonly client?: string | undefined;
}

async function fieldsOf(args: FieldArgs, out: Output) {
  const { headers, timeout, "on-change": onChange, account, scope, client } = args;
  if (account === undefined && (scope ?? client) !== undefined)
    throw new UsageError("--scope and --client need --account.");
  return {
    ...(headers !== undefined && { headers: await readJsonObject(headers, "the headers", out) }),
    ...(timeout !== undefined && { timeout_ms: parseCount("timeout", timeout) * 1_000 }),
    ...(onChange !== undefined && { on_change: onChange }),
    ...(account !== undefined && {
      oauth: { account, scope, ...(client !== undefined && (await readJsonObject(client, "the client", out))) },
    }),
  };
}

function accountOf({ oauth, account_status: status }: Schemas["McpServer"]): string | null {
  if (oauth === null) return null;
  return `${oauth.account === "workspace" ? "the workspace's account" : "your account"}${status === "connected" ? "" : ` (${status})`}`;
}

function stateOf({ is_enabled: isEnabled, last_error: error, account_status: status }: Schemas["McpServer"]): string {
  if (!isEnabled) return "disabled";
  if (status === "lost") return "connect again";
  if (status === "missing") return "not connected";
  return error === null ? "enabled" : "unreachable";
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

/** `muster mcp-servers …` */
export default defineGroup("Manage MCP servers whose tools agents call", {
  list,
  add,
  get,
  tools,
  approve,
  refresh,
  connect,
  finish,
  accounts,
  disconnect,
  test,
  update,
  enable,
  disable,
  delete: remove,
});

function countOfTools({ tool_count: count }: { readonly tool_count: number }): string {
  return `${count} ${count === 1 ? "tool" : "tools"}`;
}
