import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { asBody } from "../arguments/as-body.ts";
import { requireChange } from "../arguments/require-change.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { MISSED_POLICIES, OVERLAP_POLICIES } from "#domain/schedules/schedule.ts";
import { nameAndId } from "../service/name-and-id.ts";
import { TEMPLATE, templateFields } from "../arguments/task-template.ts";
import { formatDuration, formatTime } from "../terminal/format.ts";
import { safeText, quoteForShell } from "../terminal/safe-text.ts";

const ID = { id: { type: "positional", description: "Id or name" } } as const;

const list = defineList({
  summary: "List schedules, newest first",
  args: {},
  read: (muster, { limit }) => muster.listSchedules({ limit }),
  none: () => noneYet("schedule"),
  row: ({ id, name, cron, time_zone, is_active, next_times: [next] }) => ({
    ID: id,
    NAME: name,
    CRON: cron,
    "TIME ZONE": time_zone,
    NEXT: is_active ? formatTime(next) : "paused",
  }),
});

const create = defineRequest({
  summary: "Create a schedule that creates tasks",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    cron: { type: "string", required: true, description: 'When, as in "0 9 * * 1-5"; six fields begin with seconds' },
    "time-zone": { type: "string", valueHint: "zone", description: "Such as Europe/Berlin (default: UTC)" },
    missed: { type: "enum", options: [...MISSED_POLICIES], description: "How missed times are handled" },
    overlap: { type: "enum", options: [...OVERLAP_POLICIES], description: "Whether tasks may overlap" },
    ...TEMPLATE,
  },
  async send({ muster }, args) {
    const { name, cron, missed, overlap, "time-zone": time_zone } = args;
    return muster.createSchedule({ name, cron, time_zone, missed, overlap, ...(await templateFields(muster, args)) });
  },
  print({ out }, { name, id, next_times }) {
    out.line(`Created schedule ${safeText(name)} (${id})`);
    out.note(`Next: ${next_times.map(formatTime).join(", ")}`, "dim");
  },
});

const get = defineRequest({
  summary: "Show a schedule with its next times",
  args: ID,
  send: async ({ muster }, { id }) => muster.getSchedule({ id: await resolveId(muster, "schedule", id) }),
  print: async ({ muster, out }, schedule) =>
    out.fields({
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
    }),
});

const pause = defineRequest({
  summary: "Pause a schedule",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateSchedule({ id: await resolveId(muster, "schedule", id) }, { is_active: false }),
  print: ({ out }, { name, id }) => out.line(`Paused schedule ${safeText(name)} (${id})`),
});

const resume = defineRequest({
  summary: "Resume a schedule",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateSchedule({ id: await resolveId(muster, "schedule", id) }, { is_active: true }),
  print: ({ out }, { name, id }) => out.line(`Resumed schedule ${safeText(name)} (${id})`),
});

const log = defineList({
  summary: "List the times at which a schedule was due, newest first",
  args: ID,
  read: async (muster, { id, limit }) =>
    muster.listScheduleFires({ id: await resolveId(muster, "schedule", id), limit }),
  none: ({ id }) => `It has not been due yet. See when it is: muster schedules get ${quoteForShell(id)}`,
  row: ({ scheduled_at, outcome, ticks, late_ms, task_id }) => ({
    TIME: formatTime(scheduled_at),
    OUTCOME: outcome,
    TIMES: ticks,
    "LATE BY": formatDuration(late_ms),
    TASK: task_id,
  }),
});

const update = defineRequest({
  summary: "Change a schedule",
  examples: ['schedules update Nightly --cron "0 3 * * *" --time-zone Europe/Berlin'],
  args: {
    ...ID,
    name: { type: "string", description: "Its new name" },
    cron: { type: "string", description: 'When, as in "0 9 * * 1-5"' },
    "time-zone": { type: "string", valueHint: "zone", description: "Such as Europe/Berlin" },
    missed: { type: "enum", options: ["skip", "once", "all"], description: "How missed times are handled" },
    overlap: { type: "enum", options: ["skip", "allow"], description: "Whether tasks may overlap" },
    title: { type: "string", description: "Title of the tasks" },
    description: { type: "string", description: "Description of the tasks" },
    priority: { type: "string", description: "low, medium, high or urgent" },
  },
  async send({ muster }, args) {
    const { name, cron, missed, overlap, title, description, priority } = args;
    const given = { name, cron, time_zone: args["time-zone"], missed, overlap, title, description, priority };
    requireChange(given);
    const id = await resolveId(muster, "schedule", args.id);
    return muster.updateSchedule({ id }, asBody(given));
  },
  print({ out }, { name, id, next_times }) {
    out.line(`Updated schedule ${safeText(name)} (${id})`);
    out.note(`Next: ${next_times.map(formatTime).join(", ")}`, "dim");
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
