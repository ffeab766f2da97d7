import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { parseJsonObject, readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { asBody } from "../arguments/as-body.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const TOOL = { tool: { type: "positional", description: "Id or name" } } as const;

const list = defineList({
  summary: "List the custom tools of your workspace, newest first",
  args: {},
  read: (muster, { limit }) => muster.listTools({ limit }),
  none: () => "No custom tools yet. Create one: muster tools create tool.json",
  row: ({ id, name, method, url }) => ({ "FOR AGENTS": `custom:${id}`, NAME: name, METHOD: method, URL: url }),
});

const create = defineRequest({
  summary: "Create a custom tool; headers are read from a file so secrets stay out of shell history",
  args: {
    file: { type: "positional", description: "The tool as JSON; - reads it from standard input" },
  },
  send: async ({ muster, out }, { file }) => muster.createTool(asBody(await readJsonObject(file, "the tool", out))),
  print({ out }, { id, name }) {
    out.line(`Created tool ${safeText(name)} (custom:${id})`);
    out.note(`Try it: muster tools test ${safeText(name)} --arguments '{"…":"…"}'`, "dim");
    out.note(`Give it to an agent: muster agents create --name … --model … --tools custom:${id}`, "dim");
  },
});

const test = defineCommand({
  summary: "Call a custom tool once and show what a model would get",
  args: {
    ...TOOL,
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

const calls = defineList({
  summary: "List the calls of a custom tool, newest first",
  args: TOOL,
  read: async (muster, { tool, limit }) => muster.listToolCalls({ id: await resolveId(muster, "tool", tool), limit }),
  none: () => "No calls yet.",
  row: (call) => ({
    TIME: formatTime(call.created_at),
    STATUS: call.status,
    HTTP: call.http_status,
    TOOK: `${call.duration_ms} ms`,
    FOR: call.task_id ?? "test",
    ERROR: call.error,
  }),
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
