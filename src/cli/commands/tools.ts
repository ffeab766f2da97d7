import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { parseJsonObject, readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { asBody } from "../arguments/as-body.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const list = defineCommand({
  summary: "List the custom tools of your workspace, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listTools({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No custom tools yet. Create one: muster tools create tool.json");
    else {
      const rows = items.map(({ id, name, method, url }) => [`custom:${id}`, name, method, url]);
      out.table(["FOR AGENTS", "NAME", "METHOD", "URL"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Create a custom tool; headers are read from a file so secrets stay out of shell history",
  args: {
    file: { type: "positional", description: "The tool as JSON; - reads it from standard input" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const tool = await muster.createTool(asBody(await readJsonObject(args.file, "the tool", out)));
    if (args.json) out.json(tool);
    else {
      out.line(`Created tool ${safeText(tool.name)} (custom:${tool.id})`);
      out.note(`Try it: muster tools test ${safeText(tool.name)} --arguments '{"…":"…"}'`, "dim");
      out.note(`Give it to an agent: muster agents create --name … --model … --tools custom:${tool.id}`, "dim");
    }
    return EXIT.ok;
  },
});

const test = defineCommand({
  summary: "Call a custom tool once and show what a model would get",
  args: {
    tool: { type: "positional", description: "Id or name" },
    arguments: { type: "string", valueHint: "json", default: "{}", description: "The arguments as a JSON object" },
    ...CONNECTION,
  },
  async run(args) {
    const given = parseJsonObject(args.arguments, "the value of --arguments");
    const { muster, out } = openSession(args);
    const result = await muster.testTool({ id: await resolveId(muster, "tool", args.tool) }, { arguments: given });
    if (args.json) out.json(result);
    else {
      out.line(safeText(result.output ?? result.error ?? ""));
      const answered = result.http_status === null ? "no answer" : `HTTP ${result.http_status}`;
      out.note(`${result.status}: ${answered} in ${result.duration_ms} ms`, "dim");
    }
    return result.status === "success" ? EXIT.ok : EXIT.failed;
  },
});

const calls = defineCommand({
  summary: "List the calls of a custom tool, newest first",
  args: { tool: { type: "positional", description: "Id or name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "tool", args.tool);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listToolCalls({ id, limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No calls yet.");
    else {
      const rows = items.map((call) => [
        formatTime(call.created_at),
        call.status,
        call.http_status === null ? "" : String(call.http_status),
        `${call.duration_ms} ms`,
        call.task_id ?? "test",
        call.error ?? "",
      ]);
      out.table(["TIME", "STATUS", "HTTP", "TOOK", "FOR", "ERROR"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "tool",
  effect: "Its log is deleted too.",
  remove: (muster, id) => muster.deleteTool({ id }),
});

/** `muster tools …` */
export default defineGroup("Manage custom tools", {
  list,
  create,
  test,
  calls,
  delete: remove,
});
