import { z } from "zod";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";

const PATH = "/console/api/schedules";

const scheduleAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  cron: z.string(),
  time_zone: z.string(),
  missed: z.string(),
  overlap: z.string(),
  is_active: z.boolean(),
  assigned_agent_id: z.string().nullable(),
  assigned_team_id: z.string().nullable(),
  title: z.string(),
  next_times: z.array(z.string()),
  last_fired_at: z.string().nullable(),
});

/** A schedule as the commands see it. */
export type Schedule = z.output<typeof scheduleAnswer>;

const fireAnswer = z.looseObject({
  outcome: z.string(),
  scheduled_at: z.string(),
  ticks: z.number(),
  late_ms: z.number(),
  task_id: z.string().nullable(),
});

/** The operations on schedules that the commands use. */
export interface SchedulesApi {
  list(limit: number): Promise<Listed<Schedule>>;
  get(id: string): Promise<Schedule>;
  create(schedule: object): Promise<Schedule>;
  update(id: string, patch: object): Promise<Schedule>;
  remove(id: string): Promise<void>;
  log(id: string, limit: number): Promise<Listed<z.output<typeof fireAnswer>>>;
}

/** The operations over a client. */
export function createSchedulesApi(client: HttpClient): SchedulesApi {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: (limit) => listRecords(client, { path: PATH, record: scheduleAnswer, limit }),
    get: (id) => client.request(scheduleAnswer, { method: "GET", path: one(id) }),
    create: (body) => client.request(scheduleAnswer, { method: "POST", path: PATH, body }),
    update: (id, body) => client.request(scheduleAnswer, { method: "PATCH", path: one(id), body }),
    remove: (id) => client.request(z.undefined(), { method: "DELETE", path: one(id) }),
    log: (id, limit) => listRecords(client, { path: `${one(id)}/fires`, record: fireAnswer, limit }),
  };
}
