import type { Requirements } from "./requirement.ts";

/** Tasks that begin by themselves, at the times of a cron pattern. */
export const schedules = {
  "schedules.resource": {
    states: "Schedules are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "goal",
  },
  "schedules.fault-paths": {
    states: "An invalid pattern, time zone, agent or team is 400; the error names the field.",
    source: "goal",
  },
  "schedules.next-times": { states: "The record shows the next five times in UTC.", source: "goal" },
  "schedules.fires": {
    states:
      "Each fire creates a task for the schedule's agent or team from its title, description, priority and metadata.",
    source: "goal",
  },
  "schedules.time-zone": {
    states:
      "Times are in the time zone: one that a clock change skips fires right after the change, one that it repeats fires once.",
    source: "goal",
  },
  "schedules.missed.skip": { states: "skip ignores missed times.", source: "goal" },
  "schedules.missed.once": { states: "once creates one task for all missed times.", source: "goal" },
  "schedules.missed.all": {
    states: "all creates a task for each missed time, the newest 100 at most.",
    source: "goal",
  },
  "schedules.overlap": { states: "overlap skip creates no task until the last one has ended.", source: "goal" },
  "schedules.once.two-processes": {
    states: "Each fire creates its tasks once, with several processes on one database.",
    source: "goal",
  },
  "schedules.once.killed": {
    states: "Each fire creates its tasks once when processes are killed and restarted.",
    source: "goal",
  },
  "schedules.once.clock": {
    states:
      "When the database's clock jumps forward, the skipped times count as missed. When it is set back, schedules follow it and use no time twice.",
    source: "goal",
  },
  "schedules.pause": {
    states: "A paused schedule creates no task; after resuming it continues from then, without the paused times.",
    source: "goal",
  },
  "schedules.log": {
    states: "The log records each fire: its time, its delay, the task, and what was skipped with the reason.",
    source: "goal",
  },
  "schedules.batches": {
    states: "Schedules that are due together fire in few transactions.",
    source: "goal",
  },
  "schedules.deleted": {
    states: "Schedules are deleted with their agent or team; the tasks that they created stay.",
    source: "goal",
  },
} as const satisfies Requirements<"schedules">;
