import { scheduleCreate, schedulePatch } from "#domain/schedules/schedule.ts";
import { createSchedule, deleteSchedule, updateSchedule } from "../../schedules/schedules.ts";
import { defineResourceKind, oneByOne, written } from "../resource-kind.ts";
import { ASSIGNEES } from "./assignees.ts";

/** Schedules. */
export const schedules = defineResourceKind({
  resource: "schedule",
  folder: "schedules",
  schema: scheduleCreate,
  listed: "schedule",
  references: ASSIGNEES,
  begin: written({
    create: scheduleCreate,
    patch: schedulePatch,
    add: (workspace, fields) => createSchedule(workspace, fields),
    change: (workspace, id, patch) => updateSchedule(workspace, { id, patch }),
  }),
  remove: oneByOne(deleteSchedule),
});
