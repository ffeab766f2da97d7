import type { Api } from "../service/api.ts";
import { resolveName } from "./resolve-name.ts";

/**
 * The id of the team that a user named by its id or its exact name.
 * @throws UsageError when no team or several have the name.
 */
export function resolveTeam(api: Api, idOrName: string): Promise<string> {
  return resolveName(idOrName, {
    what: "team",
    list: async () => (await api.listTeams(Infinity)).items,
    detail: ({ mode }) => mode,
    none: "There is no team yet. Make one: muster teams create --name Crew --mode pipeline --config crew.json",
  });
}
