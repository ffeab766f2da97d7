import { z } from "zod";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";
import { resolveName } from "../arguments/resolve-name.ts";

const TOOLS = "/console/api/tools";

const toolAnswer = z.looseObject({ id: z.string(), name: z.string(), method: z.string(), url: z.string() });
const callAnswer = z.looseObject({
  status: z.string(),
  http_status: z.number().nullable(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  task_id: z.string().nullable(),
  created_at: z.string(),
});
const testAnswer = callAnswer.omit({ task_id: true, created_at: true }).extend({ output: z.string().nullable() });

/** A custom tool as the commands see it. */
export type CliTool = z.output<typeof toolAnswer>;

/** The operations on custom tools that the commands use. */
export interface ToolsApi {
  list(limit: number): Promise<Listed<CliTool>>;
  create(tool: object): Promise<CliTool>;
  test(id: string, args: object): Promise<z.output<typeof testAnswer>>;
  calls(id: string, limit: number): Promise<Listed<z.output<typeof callAnswer>>>;
  delete(id: string): Promise<void>;
  /** The id of the tool that a user named by its id or its exact name. @throws UsageError. */
  resolve(idOrName: string): Promise<string>;
}

/** The operations over a client. */
export function createToolsApi(client: HttpClient): ToolsApi {
  const one = (id: string) => `${TOOLS}/${encodeURIComponent(id)}`;
  const list = (limit: number) => listRecords(client, { path: TOOLS, record: toolAnswer, limit });
  return {
    list,
    create: (body) => client.request(toolAnswer, { method: "POST", path: TOOLS, body }),
    test: (id, args) =>
      client.request(testAnswer, { method: "POST", path: `${one(id)}/test`, body: { arguments: args } }),
    calls: (id, limit) => listRecords(client, { path: `${one(id)}/calls`, record: callAnswer, limit }),
    delete: (id) => client.request(z.undefined(), { method: "DELETE", path: one(id) }),
    resolve: (idOrName) =>
      resolveName(idOrName, {
        what: "tool",
        list: async () => (await list(Infinity)).items,
        detail: ({ url }) => url,
        none: "There is no custom tool yet. Make one: muster tools create tool.json",
      }),
  };
}
