import { z } from "zod";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";

const PATH = "/console/api/remote-agents";

const remoteAgentAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  base_url: z.string(),
  protocol_version: z.string(),
  skills: z.array(z.looseObject({ name: z.string() })),
  is_enabled: z.boolean(),
  has_token: z.boolean(),
  card_fetched_at: z.string(),
  card_error: z.string().nullable(),
});

/** A remote agent as the commands see it. */
export type RemoteAgent = z.output<typeof remoteAgentAnswer>;

/** The operations on remote agents that the commands use. */
export interface RemoteAgentsApi {
  list(limit: number): Promise<Listed<RemoteAgent>>;
  get(id: string): Promise<RemoteAgent>;
  add(agent: object): Promise<RemoteAgent>;
  update(id: string, patch: object): Promise<RemoteAgent>;
  refresh(id: string): Promise<RemoteAgent>;
  remove(id: string): Promise<void>;
}

/** The operations over a client. */
export function createRemoteAgentsApi(client: HttpClient): RemoteAgentsApi {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: (limit) => listRecords(client, { path: PATH, record: remoteAgentAnswer, limit }),
    get: (id) => client.request(remoteAgentAnswer, { method: "GET", path: one(id) }),
    add: (body) => client.request(remoteAgentAnswer, { method: "POST", path: PATH, body }),
    update: (id, body) => client.request(remoteAgentAnswer, { method: "PATCH", path: one(id), body }),
    refresh: (id) => client.request(remoteAgentAnswer, { method: "POST", path: `${one(id)}/refresh` }),
    remove: (id) => client.request(z.undefined(), { method: "DELETE", path: one(id) }),
  };
}
