import { z } from "zod";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";

const PATH = "/console/api/triggers";

const triggerAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  token_prefix: z.string(),
  has_secret: z.boolean(),
  is_active: z.boolean(),
  assigned_agent_id: z.string().nullable(),
  assigned_team_id: z.string().nullable(),
  title: z.string(),
});

/** A trigger as the commands see it. */
export type Trigger = z.output<typeof triggerAnswer>;

const shownAnswer = triggerAnswer.extend({ url: z.string() });

const deliveryAnswer = z.looseObject({
  outcome: z.string(),
  reason: z.string().nullable(),
  delivery_key: z.string().nullable(),
  bytes: z.number(),
  task_id: z.string().nullable(),
  created_at: z.string(),
});

/** The operations on triggers that the commands use. */
export interface TriggersApi {
  list(limit: number): Promise<Listed<Trigger>>;
  get(id: string): Promise<Trigger>;
  create(trigger: object): Promise<z.output<typeof shownAnswer>>;
  update(id: string, patch: object): Promise<Trigger>;
  rotate(id: string): Promise<z.output<typeof shownAnswer>>;
  remove(id: string): Promise<void>;
  log(id: string, limit: number): Promise<Listed<z.output<typeof deliveryAnswer>>>;
}

/** The operations over a client. */
export function createTriggersApi(client: HttpClient): TriggersApi {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: (limit) => listRecords(client, { path: PATH, record: triggerAnswer, limit }),
    get: (id) => client.request(triggerAnswer, { method: "GET", path: one(id) }),
    create: (body) => client.request(shownAnswer, { method: "POST", path: PATH, body }),
    update: (id, body) => client.request(triggerAnswer, { method: "PATCH", path: one(id), body }),
    rotate: (id) => client.request(shownAnswer, { method: "POST", path: `${one(id)}/rotate` }),
    remove: (id) => client.request(z.undefined(), { method: "DELETE", path: one(id) }),
    log: (id, limit) => listRecords(client, { path: `${one(id)}/deliveries`, record: deliveryAnswer, limit }),
  };
}
