import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import type { Values } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import type { Schemas } from "#client/index.ts";
import { asBody } from "../arguments/as-body.ts";
import { parseJsonObject, readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import type { Output } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";

const SERVER = { server: { type: "positional", description: "Id or name" } } as const;
const FIELDS = {
  headers: {
    type: "string",
    valueHint: "file",
    description: "JSON file with headers of every request (read from a file so secrets stay out of shell history)",
  },
  timeout: { type: "string", valueHint: "seconds", description: "How long one call may take" },
} as const;

const list = defineCommand({
  summary: "List MCP servers, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listMcpServers({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("MCP server"));
    else {
      const rows = items.map((server) => [server.name, String(server.tool_count), stateOf(server), server.url]);
      out.table(["NAME", "TOOLS", "STATE", "URL"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const add = defineCommand({
  summary: "Register an MCP server; agents list its tools as mcp:<name>/<tool>",
  args: {
    name: { type: "positional", description: "Lower-case letters and digits, as in github" },
    endpoint: { type: "positional", description: "Its URL" },
    ...FIELDS,
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const fields = await fieldsOf(args, out);
    const server = await muster.createMcpServer(asBody({ name: args.name, url: args.endpoint, ...fields }));
    if (args.json) out.json(server);
    else {
      out.line(`Registered MCP server ${safeText(server.name)} with ${countOfTools(server)} (${server.id})`);
      out.note(`List them: muster mcp-servers tools ${safeText(server.name)}`, "dim");
    }
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show an MCP server",
  args: { ...SERVER, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const server = await muster.getMcpServer({ id: await resolveId(muster, "MCP server", args.server) });
    if (args.json) {
      out.json(server);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: server.id,
      name: server.name,
      url: server.url,
      headers: Object.keys(server.headers).join(", ") || "none",
      server: [server.server_name, server.server_version].filter((word) => word !== null).join(" "),
      protocol: `MCP ${server.protocol_version} over ${server.transport}`,
      tools: String(server.tool_count),
      timeout: `${server.timeout_ms / 1_000} s`,
      state: server.is_enabled ? "enabled" : "disabled",
      "tools listed": server.tools_fetched_at,
      "last error": server.last_error,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});

const tools = defineCommand({
  summary: "List the tools of an MCP server",
  args: { ...SERVER, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const listed = await muster.listMcpServerTools({ id: await resolveId(muster, "MCP server", args.server) });
    if (args.json) out.json(listed);
    else {
      const rows = listed.map((tool) => [tool.agents_list_it_as, tool.issue ?? firstLine(tool.description)]);
      out.table(["FOR AGENTS", "DESCRIPTION"], rows);
    }
    return EXIT.ok;
  },
});

const refresh = defineCommand({
  summary: "Connect to an MCP server again and list its tools",
  args: { ...SERVER, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const server = await muster.refreshMcpServer({ id: await resolveId(muster, "MCP server", args.server) });
    const { last_error: error } = server;
    if (args.json) out.json(server);
    else if (error === null) out.line(`${safeText(server.name)} has ${countOfTools(server)}`);
    else out.line(`Kept the old tools of ${safeText(server.name)}: ${safeText(error)}`);
    return error === null ? EXIT.ok : EXIT.failed;
  },
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

const update = defineCommand({
  summary: "Change the URL, headers or time limit of an MCP server",
  args: { ...SERVER, endpoint: { type: "string", description: "Its URL" }, ...FIELDS, ...CONNECTION },
  async run(args) {
    const fields = await fieldsOf(args, openSession(args).out);
    const { endpoint } = args;
    return change(args, { ...fields, ...(endpoint !== undefined && { url: endpoint }) }, "Updated");
  },
});

const enable = defineCommand({
  summary: "Offer the tools of a disabled MCP server again",
  args: { ...SERVER, ...CONNECTION },
  run: (args) => change(args, { is_enabled: true }, "Enabled"),
});

const disable = defineCommand({
  summary: "Stop offering the tools of an MCP server to agents",
  args: { ...SERVER, ...CONNECTION },
  run: (args) => change(args, { is_enabled: false }, "Disabled"),
});

const remove = defineDeletion({
  kind: "MCP server",
  effect: "No agent can use its tools any more.",
  remove: (muster, id) => muster.deleteMcpServer({ id }),
});

async function change(args: Values<typeof CONNECTION & typeof SERVER>, patch: object, done: string) {
  const { muster, out } = openSession(args);
  const server = await muster.updateMcpServer(
    { id: await resolveId(muster, "MCP server", args.server) },
    asBody(patch),
  );
  if (args.json) out.json(server);
  else out.line(`${done} MCP server ${safeText(server.name)}`);
  return EXIT.ok;
}

async function fieldsOf(args: { headers?: string | undefined; timeout?: string | undefined }, out: Output) {
  const { headers, timeout } = args;
  return {
    ...(headers !== undefined && { headers: await readJsonObject(headers, "the headers", out) }),
    ...(timeout !== undefined && { timeout_ms: parseCount("timeout", timeout) * 1_000 }),
  };
}

function stateOf({ is_enabled: isEnabled, last_error: error }: Schemas["McpServer"]): string {
  if (!isEnabled) return "disabled";
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
  refresh,
  test,
  update,
  enable,
  disable,
  delete: remove,
});

function countOfTools({ tool_count: count }: { readonly tool_count: number }): string {
  return `${count} ${count === 1 ? "tool" : "tools"}`;
}
