import type { Api } from "../service/api.ts";
import { resolveName } from "./resolve-name.ts";

/**
 * The id of the agent that a user named by its id or its exact name.
 * @throws UsageError when no agent or several have the name.
 */
export function resolveAgent(api: Api, idOrName: string): Promise<string> {
  return resolveName(idOrName, {
    what: "agent",
    list: async () => (await api.listAgents(Infinity)).items,
    detail: ({ model }) => model,
    none: "There is no agent yet. Make one: muster agents create --name Writer --model demo",
  });
}
