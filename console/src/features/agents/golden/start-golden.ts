import type { QueryClient } from "@tanstack/react-query";
import { startGoldenRun } from "#client/gen/operations/golden-runs.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../../api/client.ts";

/** What a golden run tries: a version, changes of the agent as it is, or what an earlier golden run has tried. */
export type Candidate = components["schemas"]["StartGoldenRunRequest"];

/** Tries something on an agent's golden cases. Returns the id of the golden run. @throws Problem */
export async function startGolden(client: QueryClient, agentId: string, candidate: Candidate): Promise<string> {
  const run = await call(startGoldenRun)({ id: agentId }, candidate);
  client.setQueryData(["golden", agentId, "run", run.id], run);
  void client.invalidateQueries({ queryKey: ["golden", agentId, "runs"] });
  return run.id;
}
