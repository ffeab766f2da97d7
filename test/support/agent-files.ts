import { z } from "zod";
import { consoleOf } from "./api.ts";
import type { ApiService } from "./runs.ts";

const imported = z.strictObject({
  agents: z.array(z.looseObject({ id: z.uuid(), name: z.string() })),
  team: z.null(),
  warnings: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});

/** The file of an exported agent, with these fields instead of the defaults. */
export function agentFile(data: object = {}, rest: object = {}): object {
  return { format: "muster-export", version: 1, type: "agent", data: { name: "A", model: "demo", ...data }, ...rest };
}

/** Imports the file of an agent; returns the agents that were created. @throws Error when it is rejected. */
export async function importAgents(service: ApiService, file: unknown): Promise<z.output<typeof imported>["agents"]> {
  const answer = await consoleOf(service, service.keys.api).post("/agents/import", file);
  if (answer.status !== 201) throw new Error(`A file was rejected with ${answer.status}: ${answer.text}`);
  return imported.parse(answer.body).agents;
}
