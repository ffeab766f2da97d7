import { writeFile } from "node:fs/promises";
import { EXIT } from "../errors/exit-codes.ts";
import { CONNECTION, parseNumber } from "../arguments/arguments.ts";
import { asBody } from "../arguments/as-body.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { junitOf } from "../golden/junit.ts";
import { followGoldenRun } from "../golden/follow-golden-run.ts";
import { printGoldenRun } from "../golden/print-golden-run.ts";
import { openSession } from "../service/session.ts";
import { formatCost, formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const AGENT = { agent: { type: "positional", description: "Agent (id or exact name)" } } as const;
const CASE = { id: { type: "positional", description: "Id of the golden case" } } as const;

const FIELDS = {
  name: { type: "string", description: "Its name" },
  expected: { type: "string", valueHint: "text", description: "What the result should be" },
  checks: { type: "string", valueHint: "file", description: 'JSON: {"checks": […]}; - reads it from standard input' },
} as const;

const keep = defineRequest({
  summary: "Keep an ended task as a golden case of its agent",
  examples: ["golden keep 01a2… --checks checks.json"],
  args: { id: { type: "positional", description: "Task (id or title)" }, ...FIELDS },
  async send({ muster, out }, { id, name, expected, checks }) {
    const given = checks === undefined ? {} : await readJsonObject(checks, "the checks", out);
    return muster.keepGoldenCase({ id: await resolveId(muster, "task", id) }, asBody({ ...given, name, expected }));
  },
  print: ({ out }, { id, name }) => out.line(`Kept ${safeText(name)} as golden (${id})`),
});

const collect = defineRequest({
  summary: "Keep all runs of an agent that match the filters",
  examples: ["golden collect Clerk --status failed --feedback note --since 7d"],
  args: {
    ...AGENT,
    status: { type: "enum", options: ["completed", "failed", "cancelled"], description: "Their status" },
    feedback: {
      type: "enum",
      options: ["up", "down", "note"],
      description: "Their feedback; note: with a note or a correction",
    },
    since: { type: "string", valueHint: "time", description: "Created since then, or in the last 7d, 12h or 30m" },
    checks: FIELDS.checks,
  },
  async send({ muster, out }, { agent, status, feedback, since, checks }) {
    const given = checks === undefined ? {} : await readJsonObject(checks, "the checks", out);
    const filter = {
      ...(status !== undefined && { status: [status] }),
      ...(feedback !== undefined && { feedback: [feedback] }),
      ...(since !== undefined && { since: parseSince("since", since) }),
    };
    return muster.keepGoldenSet({ id: await resolveId(muster, "agent", agent) }, asBody({ ...given, filter }));
  },
  print({ out }, { kept, skipped }) {
    out.line(`Kept ${kept.length} runs as golden`);
    for (const { run_id: id, message } of skipped) out.line(`Skipped ${id}: ${safeText(message)}`);
  },
});

const cases = defineRequest({
  summary: "List an agent's golden cases, newest first",
  args: AGENT,
  send: async ({ muster }, { agent }) => muster.listGoldenCases({ id: await resolveId(muster, "agent", agent) }),
  print({ out }, kept) {
    if (kept.length === 0) return out.note("No golden cases yet. Keep one: muster golden keep <task>");
    out.table(
      ["ID", "NAME", "CHECKS", "TOOLS", "KEPT"],
      kept.map((one) => [
        one.id,
        one.name,
        one.checks.map(({ type }) => type).join(", "),
        one.tools.join(", "),
        formatTime(one.created_at),
      ]),
    );
  },
});

const show = defineRequest({
  summary: "Show a golden case with its input and recorded tools",
  args: CASE,
  send: ({ muster }, { id }) => muster.getGoldenCase({ id }),
  print: ({ out }, golden) => out.line(JSON.stringify(golden, null, 2)),
});

const update = defineRequest({
  summary: "Change what a golden case expects, or its checks",
  args: { ...CASE, ...FIELDS },
  async send({ muster, out }, { id, name, expected, checks }) {
    const given = checks === undefined ? {} : await readJsonObject(checks, "the checks", out);
    return muster.updateGoldenCase({ id }, asBody({ ...given, name, expected }));
  },
  print: ({ out }, { id, name }) => out.line(`Updated the golden case ${safeText(name)} (${id})`),
});

const remove = defineRequest({
  summary: "Delete a golden case. Results of golden runs remain.",
  args: CASE,
  send: async ({ muster }, { id }) => {
    await muster.deleteGoldenCase({ id });
    return { id, deleted: true };
  },
  print: ({ out }, { id }) => out.line(`Deleted golden case ${id}`),
});

const TRIED = { type: "string", valueHint: "id", description: "What a golden run has tried" } as const;

const run = defineCommand({
  summary: "Try an agent, a version or a model on its golden cases; exit code 1 if a case does not pass",
  examples: ["golden run Clerk", "golden run Clerk --version 4 --model gpt-5 --junit golden.xml"],
  args: {
    ...AGENT,
    version: { type: "string", valueHint: "number", description: "A stored version (default: the agent as it is)" },
    "golden-run": TRIED,
    model: { type: "string", valueHint: "id", description: "Another model" },
    changes: {
      type: "string",
      valueHint: "file",
      description: "JSON: other changes, as of an agent; - for standard input",
    },
    junit: { type: "string", valueHint: "file", description: "Write the results as JUnit XML" },
    "no-wait": { type: "boolean", description: "Start it only" },
    ...CONNECTION,
  },
  async run({ agent, version, model, changes, junit, "golden-run": goldenRun, ...args }) {
    const { muster, out } = openSession(args);
    const candidate = {
      version: parseNumber("version", version),
      golden_run_id: goldenRun,
      model,
      ...(changes !== undefined && { changes: await readJsonObject(changes, "the changes", out) }),
    };
    const id = await resolveId(muster, "agent", agent);
    const started = await muster.startGoldenRun({ id }, asBody(candidate));
    if (args["no-wait"] === true) {
      if (args.json) out.json(started);
      else out.line(`Started golden run ${started.id} of ${started.cases} cases`);
      return EXIT.ok;
    }
    const ended = await followGoldenRun(muster, out, started);
    if (junit !== undefined) await writeFile(junit, junitOf(agent, ended));
    if (args.json) out.json(ended);
    else printGoldenRun(out, ended);
    return ended.status === "passed" ? EXIT.ok : EXIT.failed;
  },
});

const runs = defineRequest({
  summary: "List an agent's golden runs, newest first",
  args: AGENT,
  send: async ({ muster }, { agent }) => muster.listGoldenRuns({ id: await resolveId(muster, "agent", agent) }),
  print({ out }, all) {
    if (all.length === 0) return out.note("No golden runs yet. Start one: muster golden run <agent>");
    out.table(
      ["ID", "VERSION", "MODEL", "STATUS", "PASSED", "COST", "BEFORE", "STARTED"],
      all.map((one) => [
        one.id,
        String(one.version ?? ""),
        one.model,
        one.status,
        `${one.passed} of ${one.cases}`,
        formatCost(one.cost_usd),
        formatCost(one.cost_usd_before),
        formatTime(one.created_at),
      ]),
    );
  },
});

const get = defineRequest({
  summary: "Show the results of a golden run",
  args: { id: { type: "positional", description: "Id of the golden run" } },
  send: ({ muster }, { id }) => muster.getGoldenRun({ id }),
  print: ({ out }, one) => printGoldenRun(out, one),
});

const cancel = defineRequest({
  summary: "Cancel the tasks of a golden run that have not ended",
  args: { id: { type: "positional", description: "Id of the golden run" } },
  send: ({ muster }, { id }) => muster.cancelGoldenRun({ id }),
  print: ({ out }, { id, cancelled }) => out.line(`Cancelled ${cancelled} cases of golden run ${id}`),
});

const gate = defineRequest({
  summary: "Show or set what a change of an agent must pass before it is stored",
  examples: ["golden gate Clerk --required all"],
  args: {
    ...AGENT,
    required: { type: "string", valueHint: "all|number|none", description: "Golden cases that must pass" },
  },
  async send({ muster }, { agent, required }) {
    const id = await resolveId(muster, "agent", agent);
    if (required === undefined) return muster.getGoldenGate({ id });
    const needed = required === "all" || required === "none" ? required : parseNumber("required", required);
    return muster.setGoldenGate({ id }, asBody({ required: needed }));
  },
  print({ out }, { required, cases, fault }) {
    if (required === "none") out.line("No gate: every change is stored");
    else out.line(`A change must pass ${required === "all" ? "all" : required} of ${cases} golden cases`);
    if (fault !== null) out.line(safeText(fault));
  },
});

const publish = defineRequest({
  summary: "Store a version, another model or changes as the agent's newest version, if they meet its gate",
  examples: ['golden publish Clerk --version 4 --override "Approved by the board"'],
  args: {
    ...AGENT,
    version: { type: "string", valueHint: "number", description: "A stored version" },
    "golden-run": TRIED,
    model: { type: "string", valueHint: "id", description: "Another model" },
    changes: {
      type: "string",
      valueHint: "file",
      description: "JSON: other changes, as of an agent; - for standard input",
    },
    override: { type: "string", valueHint: "reason", description: "Publish it without meeting the gate, as an admin" },
  },
  async send({ muster, out }, { agent, version, model, changes, override, "golden-run": goldenRun }) {
    const candidate = {
      version: parseNumber("version", version),
      golden_run_id: goldenRun,
      model,
      override,
      ...(changes !== undefined && { changes: await readJsonObject(changes, "the changes", out) }),
    };
    return muster.publishGoldenCandidate({ id: await resolveId(muster, "agent", agent) }, asBody(candidate));
  },
  print: ({ out }, { name, version }) => out.line(`Published version ${version} of ${safeText(name)}`),
});

/** `muster golden …` */
export default defineGroup("Keep runs as golden, and try versions of agents on them", {
  keep,
  collect,
  cases,
  show,
  update,
  delete: remove,
  run,
  runs,
  get,
  cancel,
  gate,
  publish,
});
