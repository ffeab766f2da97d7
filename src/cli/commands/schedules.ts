import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { MISSED_POLICIES, OVERLAP_POLICIES } from "#domain/schedules/schedule.ts";
import { nameAndId } from "../service/name-and-id.ts";
import { openSession } from "../service/session.ts";
import { TEMPLATE, templateFields } from "../arguments/task-template.ts";
import { formatDuration, formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";

const list = defineCommand({
  summary: "List schedules, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listSchedules({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("schedule"));
    else {
      const rows = items.map(({ id, name, cron, time_zone, is_active, next_times: [next] }) => [
        id,
        name,
        cron,
        time_zone,
        is_active ? formatTime(next) : "paused",
      ]);
      out.table(["ID", "NAME", "CRON", "TIME ZONE", "NEXT"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Create a schedule that creates tasks",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    cron: { type: "string", required: true, description: 'When, as in "0 9 * * 1-5"; six fields begin with seconds' },
    "time-zone": { type: "string", valueHint: "zone", description: "Such as Europe/Berlin (default: UTC)" },
    missed: { type: "enum", options: [...MISSED_POLICIES], description: "How missed times are handled" },
    overlap: { type: "enum", options: [...OVERLAP_POLICIES], description: "Whether tasks may overlap" },
    ...TEMPLATE,
    ...CONNECTION,
  },
  async run(args) {
    const { name, cron, missed, overlap } = args;
    const { muster, out } = openSession(args);
    const template = await templateFields(muster, args);
    const made = await muster.createSchedule({
      name,
      cron,
      time_zone: args["time-zone"],
      missed,
      overlap,
      ...template,
    });
    if (args.json) out.json(made);
    else {
      out.line(`Created schedule ${safeText(made.name)} (${made.id})`);
      out.note(`Next: ${made.next_times.map(formatTime).join(", ")}`, "dim");
    }
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show a schedule with its next times",
  args: { id: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const schedule = await muster.getSchedule({ id: await resolveId(muster, "schedule", args.id) });
    if (args.json) {
      out.json(schedule);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: schedule.id,
      name: schedule.name,
      cron: `${schedule.cron} (${schedule.time_zone})`,
      "missed times": schedule.missed,
      overlap: schedule.overlap,
      agent: await nameAndId(schedule.assigned_agent_id, muster.getAgent),
      team: await nameAndId(schedule.assigned_team_id, muster.getTeam),
      title: schedule.title,
      "last fired": formatTime(schedule.last_fired_at),
      next: schedule.is_active ? schedule.next_times.map(formatTime).join(", ") : "paused",
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});

const pause = defineCommand({
  summary: "Pause a schedule",
  args: { id: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const schedule = await muster.updateSchedule(
      { id: await resolveId(muster, "schedule", args.id) },
      {
        is_active: false,
      },
    );
    if (args.json) out.json(schedule);
    else out.line(`Paused schedule ${safeText(schedule.name)} (${schedule.id})`);
    return EXIT.ok;
  },
});

const resume = defineCommand({
  summary: "Resume a schedule",
  args: { id: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const schedule = await muster.updateSchedule(
      { id: await resolveId(muster, "schedule", args.id) },
      {
        is_active: true,
      },
    );
    if (args.json) out.json(schedule);
    else out.line(`Resumed schedule ${safeText(schedule.name)} (${schedule.id})`);
    return EXIT.ok;
  },
});

const log = defineCommand({
  summary: "List the times at which a schedule was due, newest first",
  args: { id: { type: "positional", description: "Id or name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "schedule", args.id);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listScheduleFires({ id, limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(`It has not been due yet. See when it is: muster schedules get ${id}`);
    else {
      const rows = items.map(({ scheduled_at, outcome, ticks, late_ms, task_id }) => [
        formatTime(scheduled_at),
        outcome,
        String(ticks),
        formatDuration(late_ms),
        task_id ?? "",
      ]);
      out.table(["TIME", "OUTCOME", "TIMES", "LATE BY", "TASK"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const update = defineCommand({
  summary: "Change a schedule",
  examples: ['schedules update Nightly --cron "0 3 * * *" --time-zone Europe/Berlin'],
  args: {
    id: { type: "positional", description: "Id or name" },
    name: { type: "string", description: "Its new name" },
    cron: { type: "string", description: 'When, as in "0 9 * * 1-5"' },
    "time-zone": { type: "string", valueHint: "zone", description: "Such as Europe/Berlin" },
    missed: { type: "enum", options: ["skip", "once", "all"], description: "How missed times are handled" },
    overlap: { type: "enum", options: ["skip", "allow"], description: "Whether tasks may overlap" },
    title: { type: "string", description: "Title of the tasks" },
    description: { type: "string", description: "Description of the tasks" },
    priority: { type: "string", description: "low, medium, high or urgent" },
    ...CONNECTION,
  },
  async run(args) {
    const { name, cron, missed, overlap, title, description, priority } = args;
    const { muster, out } = openSession(args);
    const given = { name, cron, time_zone: args["time-zone"], missed, overlap, title, description, priority };
    const changes = Object.entries(given).filter(([, value]) => value !== undefined);
    if (changes.length === 0) throw new UsageError("Name at least one field to change.");
    const id = await resolveId(muster, "schedule", args.id);
    const schedule = await muster.updateSchedule({ id }, Object.fromEntries(changes));
    if (args.json) out.json(schedule);
    else {
      out.line(`Updated schedule ${safeText(schedule.name)} (${schedule.id})`);
      out.note(`Next: ${schedule.next_times.map(formatTime).join(", ")}`, "dim");
    }
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "schedule",
  effect: "Its log is deleted too; its tasks stay.",
  remove: (muster, id) => muster.deleteSchedule({ id }),
});

/** `muster schedules …` */
export default defineGroup("Manage schedules", {
  list,
  create,
  get,
  update,
  pause,
  resume,
  log,
  delete: remove,
});
