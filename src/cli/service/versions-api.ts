import { z } from "zod";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";
import { agentAnswer } from "./records.ts";
import type { Agent } from "./records.ts";

const versionAnswer = z.looseObject({
  version: z.number(),
  changed_by: z.string().nullable(),
  created_at: z.string(),
  changed: z.array(z.string()),
});

const diffAnswer = z.looseObject({
  from: z.number(),
  to: z.number(),
  changes: z.array(
    z.object({
      field: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      lines: z.array(z.object({ change: z.enum(["kept", "removed", "added"]), line: z.string() })).optional(),
    }),
  ),
});

/** What differs between two versions, as the commands see it. */
export type VersionDiff = z.output<typeof diffAnswer>;

/** The operations on an agent's versions that the commands use. */
export interface VersionsApi {
  list(agentId: string, limit: number): Promise<Listed<z.output<typeof versionAnswer>>>;
  diff(
    agentId: string,
    versions: { readonly version: number; readonly against: number | undefined },
  ): Promise<VersionDiff>;
  restore(agentId: string, version: number): Promise<Agent>;
}

/** The operations over a client. */
export function createVersionsApi(client: HttpClient): VersionsApi {
  const of = (agentId: string) => `/console/api/agents/${encodeURIComponent(agentId)}/versions`;
  return {
    list: (agentId, limit) => listRecords(client, { path: of(agentId), record: versionAnswer, limit }),
    diff: (agentId, { version, against }) =>
      client.request(diffAnswer, {
        method: "GET",
        path: `${of(agentId)}/${version}/diff${against === undefined ? "" : `?against=${against}`}`,
      }),
    restore: (agentId, version) =>
      client.request(agentAnswer, { method: "POST", path: `${of(agentId)}/${version}/restore` }),
  };
}
