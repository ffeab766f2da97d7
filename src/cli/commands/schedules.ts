import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createSchedulesApi } from "../service/schedules-api.ts";
import { openSession } from "../service/session.ts";
import { TEMPLATE, templateFields } from "../arguments/task-template.ts";
import { formatDuration, formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines, tableLines } from "../terminal/table.ts";

const list = defineCommand({
  summary: "List schedules, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createSchedulesApi(client).list(limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ id, name, cron, time_zone, is_active, next_times: [next] }) => [
        id,
        name,
        cron,
        time_zone,
        is_active ? formatTime(next) : "paused",
      ]);
      tableLines(["ID", "NAME", "CRON", "TIME ZONE", "NEXT"], rows).forEach((line) => out.line(line));
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
    missed: { type: "string", description: "skip, once or all: how missed times are handled" },
    overlap: { type: "string", description: "skip or allow: whether tasks may overlap" },
    ...TEMPLATE,
    ...CONNECTION,
  },
  async run(args) {
    const { name, cron, missed, overlap } = args;
    const { api, client, out } = openSession(args);
    const template = await templateFields(api, args);
    const made = await createSchedulesApi(client).create({
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
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const schedule = await createSchedulesApi(client).get(args.id);
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
      agent: schedule.assigned_agent_id,
      team: schedule.assigned_team_id,
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
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const schedule = await createSchedulesApi(client).update(args.id, { is_active: false });
    if (args.json) out.json(schedule);
    else out.line(`Paused schedule ${safeText(schedule.name)} (${schedule.id})`);
    return EXIT.ok;
  },
});

const resume = defineCommand({
  summary: "Resume a schedule",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const schedule = await createSchedulesApi(client).update(args.id, { is_active: true });
    if (args.json) out.json(schedule);
    else out.line(`Resumed schedule ${safeText(schedule.name)} (${schedule.id})`);
    return EXIT.ok;
  },
});

const log = defineCommand({
  summary: "List the fires of a schedule, newest first",
  args: { id: { type: "positional", description: "Its id" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createSchedulesApi(client).log(args.id, limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ scheduled_at, outcome, ticks, late_ms, task_id }) => [
        formatTime(scheduled_at),
        outcome,
        String(ticks),
        formatDuration(late_ms),
        task_id ?? "",
      ]);
      tableLines(["TIME", "OUTCOME", "TIMES", "LATE BY", "TASK"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const remove = defineCommand({
  summary: "Delete a schedule and its log; its tasks stay",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    await createSchedulesApi(client).remove(args.id);
    if (args.json) out.json({ id: args.id, deleted: true });
    else out.line(`Deleted schedule ${args.id}`);
    return EXIT.ok;
  },
});

/** `muster schedules …` */
export default defineGroup("Manage schedules", {
  list,
  create,
  get,
  pause,
  resume,
  log,
  delete: remove,
});
