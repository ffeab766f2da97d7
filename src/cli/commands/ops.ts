import { LOG_LEVELS, TENANT_ORDERS } from "#domain/access/instance.ts";
import { formatSize } from "#lib/text/format-size.ts";
import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { formatCost, formatTime } from "../terminal/format.ts";
import { createOutput } from "../terminal/output.ts";
import { askText, isInteractive } from "../terminal/prompt.ts";

const { json } = CONNECTION;
const SLUG = { type: "positional", description: "Slug or id of the workspace" } as const;
const MINUTES_PER_HOUR = 60;

const service = () => import("../../service/ops.ts");
const output = () => createOutput(process.stdout, process.stderr);

const tenants = defineCommand({
  summary: "List workspaces by load, cost, storage or failures; hours, days and months are in UTC",
  examples: ["ops tenants --order cost --limit 10"],
  args: {
    order: { type: "enum", options: TENANT_ORDERS, default: "load", description: "The largest first" },
    ...LIMIT,
    cursor: { type: "string", description: "next_cursor of the previous page" },
    json,
  },
  async run(args) {
    const order = TENANT_ORDERS.find((each) => each === args.order) ?? "load";
    const limit = Math.min(200, parseCount("limit", args.limit));
    const page = await (await service()).tenants({ order, limit, cursor: args.cursor });
    const out = output();
    if (args.json) {
      out.json(page);
      return EXIT.ok;
    }
    out.table(
      ["SLUG", "PLAN", "RUNNING", "WAITING", "HOUR", "TODAY", "FAILED", "COST TODAY", "MONTH", "STORED", "HELD"],
      page.items.map((one) => [
        one.slug,
        one.plan,
        ...[one.running, one.waiting, one.runs_this_hour, one.runs_today, one.failed_today].map(String),
        formatCost(one.cost_today_usd ?? 0),
        formatCost(one.cost_this_month_usd ?? 0),
        formatSize(one.stored_bytes ?? 0),
        one.held_at === null ? "" : formatTime(one.held_at),
      ]),
    );
    if (page.next_cursor !== null) out.note(`More: --cursor ${page.next_cursor}`);
    return EXIT.ok;
  },
});

const processes = defineCommand({
  summary: "List the processes of the service, their versions and the jobs that they run",
  args: { json },
  async run(args) {
    const found = await (await service()).processes();
    if (args.json) output().json(found);
    else
      output().table(
        ["NAME", "VERSION", "SINCE", "LAST BEAT", "JOBS", "ROLE"],
        found.map((one) => [
          one.name ?? "",
          one.version ?? "unknown",
          formatTime(one.started_at),
          formatTime(one.last_beat_at),
          String(one.jobs),
          one.is_quarantine ? "quarantine" : one.is_keeper ? "keeper" : "",
        ]),
      );
    return EXIT.ok;
  },
});

const queues = defineCommand({
  summary: "Count the jobs of each kind: waiting, running, suspended, and failed runs",
  args: { json },
  async run(args) {
    const found = await (await service()).queues();
    if (args.json) output().json(found);
    else
      output().table(
        ["KIND", "WAITING", "RUNNING", "SUSPENDED", "OLDEST WAITS SINCE", "FAILED"],
        found.map(({ kind, waiting, running, suspended, oldest_waiting_since: oldest, failed }) => [
          kind,
          ...[waiting, running, suspended].map(String),
          formatTime(oldest),
          String(failed),
        ]),
      );
    return EXIT.ok;
  },
});

const hold = defineCommand({
  summary: "Hold a workspace: it is read as before, but nothing new is stored in it, and nothing runs",
  args: { slug: SLUG, json },
  run: (args) => setHeld(args, true),
});

const release = defineCommand({
  summary: "Release a held workspace: its runs continue from their last step",
  args: { slug: SLUG, json },
  run: (args) => setHeld(args, false),
});

async function setHeld(args: { readonly slug: string; readonly json: boolean | undefined }, isHeld: boolean) {
  const workspace = await (await service()).hold(args.slug, isHeld);
  if (args.json) output().json(workspace);
  else output().line(`${workspace.slug} is ${isHeld ? "held" : "not held"}.`);
  return EXIT.ok;
}

const erase = defineCommand({
  summary: "Erase a workspace with all its rows and files; the name confirms it",
  examples: ['ops erase acme --confirm "Acme"'],
  args: { slug: SLUG, confirm: { type: "string", valueHint: "name", description: "The name of the workspace" } },
  async run({ slug, confirm }) {
    if (confirm === undefined && !isInteractive()) throw new UsageError("Give --confirm with the workspace's name.");
    const name = confirm ?? (await askText({ message: `Type the name of ${slug} to erase it` }));
    await (await service()).erase(slug, name);
    output().line(`${slug} is erased: access has ended, and the service deletes its rows and files.`);
    return EXIT.ok;
  },
});

const erasures = defineCommand({
  summary: "List the receipts of erasures: what was removed, when and at whose word",
  args: { json },
  async run(args) {
    const found = await (await service()).erasures();
    if (args.json) output().json(found);
    else
      output().table(
        ["RECEIPT", "KIND", "ID", "BEGAN", "ENDED", "ROWS"],
        found.map(({ id, kind, subject_id, requested_at, ended_at, removed }) => [
          id,
          kind,
          subject_id,
          formatTime(requested_at),
          ended_at === null ? "in progress" : formatTime(ended_at),
          String(Object.values(removed).reduce((sum, rows) => sum + rows, 0)),
        ]),
      );
    return EXIT.ok;
  },
});

const logLevel = defineCommand({
  summary: "Show the log level that is set, or change that of all processes or of one for some time",
  examples: ["ops log-level", "ops log-level debug --for 10m"],
  args: {
    level: { type: "positional", options: LOG_LEVELS, required: false, description: "Level; none shows it" },
    for: { type: "string", default: "10m", valueHint: "time", description: "Minutes or hours: 10m, 2h" },
    process: { type: "string", valueHint: "name", description: "One process, as ops processes names it" },
    json,
  },
  async run(args) {
    const level = LOG_LEVELS.find((each) => each === args.level);
    const ops = await service();
    const change = { minutes: minutesOf(args.for), process: args.process ?? null };
    const set = level === undefined ? await ops.currentLogLevel() : await ops.logLevel({ ...change, level });
    if (args.json) output().json(set);
    else if (set.until === null) output().line("Each process has its LOG_LEVEL.");
    else output().line(`${set.process ?? "All processes"}: ${set.level} until ${formatTime(set.until)}.`);
    return EXIT.ok;
  },
});

function minutesOf(time: string): number {
  const [, amount, unit] = /^([1-9]\d{0,3})(m|h)$/.exec(time) ?? [];
  const minutes = Number(amount) * (unit === "h" ? MINUTES_PER_HOUR : 1);
  if (minutes >= 1 && minutes <= 24 * MINUTES_PER_HOUR) return minutes;
  throw new UsageError(`--for must be minutes or hours up to a day, such as 10m or 2h, not "${time}".`);
}

/** `muster ops …` */
export default defineGroup("Operate the instance; needs access to the database", {
  tenants,
  hold,
  release,
  erase,
  erasures,
  processes,
  queues,
  "log-level": logLevel,
});
