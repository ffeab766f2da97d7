import { z } from "zod";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";
import { dueTimes } from "./cron.ts";
import type { Timing } from "./cron.ts";
import { taskPriority } from "../tasks/task.ts";
import { freeForm } from "../free-form.ts";

/** A fire found later than this is missed. */
const MISSED_AFTER_MS = 60_000;

/** How missed fires are handled. */
export const MISSED_POLICIES = ["skip", "once", "all"] as const;

/** One of {@link MISSED_POLICIES}. */
export type MissedPolicy = (typeof MISSED_POLICIES)[number];

/** Whether a schedule fires while its last task has not ended. */
export const OVERLAP_POLICIES = ["allow", "skip"] as const;

/** One of {@link OVERLAP_POLICIES}. */
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number];

/** The fields from which a schedule or a trigger creates its tasks. */
export const taskTemplate = {
  assigned_agent_id: givenId.nullish().describe("The agent of the tasks; set either an agent or a team."),
  assigned_team_id: givenId.nullish().describe("The team of the tasks."),
  title: displayName(200),
  description: z.string().max(50_000),
  priority: taskPriority,
  metadata: freeForm,
};

const fields = z.strictObject({
  name: displayName(100),
  cron: z.string().min(1).max(200).describe("Minute, hour, day, month, weekday; optionally preceded by seconds."),
  time_zone: z.string().min(1).max(100).describe("An IANA time zone, such as Europe/Berlin."),
  missed: z
    .enum(MISSED_POLICIES)
    .describe(
      "How fires are handled while no process runs: skipped, made up by one task, or by one each (100 at most).",
    ),
  overlap: z.enum(OVERLAP_POLICIES).describe("skip: no task while the last one is unfinished."),
  is_active: z.boolean().describe("false: paused."),
  ...taskTemplate,
});

/** The body of POST /console/api/schedules. */
export const scheduleCreate = fields
  .extend({
    time_zone: fields.shape.time_zone.default("UTC"),
    missed: fields.shape.missed.default("once"),
    overlap: fields.shape.overlap.default("allow"),
    is_active: fields.shape.is_active.default(true),
    description: fields.shape.description.default(""),
    priority: fields.shape.priority.default("medium"),
    metadata: fields.shape.metadata.default({}),
  })
  .superRefine(requireOneAssignee)
  .describe("Creates tasks at the times of a cron pattern.");

/** A schedule to create, validated and with defaults. */
export type ScheduleCreate = z.output<typeof scheduleCreate>;

/** The body of PATCH /console/api/schedules/{id}. */
export const schedulePatch = fields.partial().describe("The fields of a schedule to change.");

/** Changes to a schedule, validated. */
export type SchedulePatch = z.output<typeof schedulePatch>;

/** The body of POST /console/api/schedules/preview. */
export const schedulePreview = fields
  .pick({ cron: true, time_zone: true })
  .extend({ time_zone: fields.shape.time_zone.default("UTC") })
  .describe("The cron pattern to preview.");

/** Fields that a client may send back from a record; they are ignored. */
export const SCHEDULE_READ_ONLY = [
  "id",
  "workspace_id",
  "next_times",
  "last_fired_at",
  "last_task_id",
  "created_by",
  "created_at",
  "updated_at",
] as const;

/** Rejects a new schedule or trigger without an agent or a team, or with both. */
export function requireOneAssignee(
  given: {
    readonly assigned_agent_id?: string | null | undefined;
    readonly assigned_team_id?: string | null | undefined;
  },
  context: z.RefinementCtx,
): void {
  if ((given.assigned_agent_id == null) !== (given.assigned_team_id == null)) return;
  context.addIssue({ code: "custom", path: ["assigned_agent_id"], message: "name either an agent or a team" });
}

/** The state that determines a schedule's tasks. */
export interface DueSchedule extends Timing {
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  /** Its next fires, the first of which is due. */
  readonly nextTimes: readonly Date[];
  /** Due fires that were used already, before the clock was set back. */
  readonly logged: readonly Date[];
  /** Whether its last task has not ended. */
  readonly isBusy: boolean;
}

/** The plan for due fires: a task for each of the first, none for the others. */
export interface FirePlan {
  readonly fired: readonly Date[];
  readonly missed: readonly Date[];
  readonly overlapping: readonly Date[];
}

/** Plans the fires of a schedule that are due now. */
export function planFires(schedule: DueSchedule, now: Date): FirePlan {
  const logged = new Set(schedule.logged.map(Number));
  const come = dueTimes(schedule, schedule.nextTimes, now).filter((time) => !logged.has(time.getTime()));
  const kept = new Set(retainedTimes(come, schedule.missed, now));
  const missed = come.filter((time) => !kept.has(time));
  const wanted = come.filter((time) => kept.has(time));
  if (schedule.overlap === "allow") return { fired: wanted, missed, overlapping: [] };
  const fired = schedule.isBusy ? [] : wanted.slice(-1);
  return { fired, missed, overlapping: wanted.slice(0, wanted.length - fired.length) };
}

/** Fires that are on time are all kept. */
function retainedTimes(come: readonly Date[], policy: MissedPolicy, now: Date): readonly Date[] {
  const onTime = come.filter((time) => now.getTime() - time.getTime() <= MISSED_AFTER_MS);
  if (policy === "all") return come;
  return policy === "once" && onTime.length === 0 ? come.slice(-1) : onTime;
}
