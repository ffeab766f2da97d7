import type { Requirements } from "./requirement.ts";

/** Tasks that begin by themselves, at the times of a cron pattern. */
export const schedules = {
  "schedules.resource": {
    states: "Schedules are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "goal",
  },
  "schedules.fault-paths": {
    states: "A pattern, a time zone, an agent or a team that does not fit is 400 naming the field.",
    source: "goal",
  },
  "schedules.next-times": { states: "The record shows the next five times in UTC.", source: "goal" },
  "schedules.fires": {
    states: "At each time it makes a task for its agent or team from its title, description, priority and metadata.",
    source: "goal",
  },
  "schedules.time-zone": {
    states:
      "Times are those of the time zone: one that a clock change skips comes right after it, one that it repeats once.",
    source: "goal",
  },
  "schedules.missed.skip": { states: "skip leaves missed times out.", source: "goal" },
  "schedules.missed.once": { states: "once makes one task for all missed times.", source: "goal" },
  "schedules.missed.all": { states: "all makes a task for each missed time, the newest 100 at most.", source: "goal" },
  "schedules.overlap": { states: "overlap skip makes no task while the last one has not ended.", source: "goal" },
  "schedules.once.two-processes": {
    states: "Each time makes its tasks once, with several processes on one database.",
    source: "goal",
  },
  "schedules.once.killed": {
    states: "Each time makes its tasks once when processes are killed and started again.",
    source: "goal",
  },
  "schedules.once.clock": {
    states:
      "When the database's clock jumps forward, what it jumped over was missed; when it is set back, schedules continue by it and use no time twice.",
    source: "goal",
  },
  "schedules.pause": {
    states: "A paused schedule makes nothing; resumed it continues from then, without what it would have made.",
    source: "goal",
  },
  "schedules.log": {
    states: "The log tells of each time: when it was, how late, the task, and what was left out for which reason.",
    source: "goal",
  },
  "schedules.deleted": { states: "They go with their agent or team; the tasks that they made stay.", source: "goal" },
} as const satisfies Requirements<"schedules">;
