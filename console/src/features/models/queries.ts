import { queryOptions, useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "#client/gen/schema.ts";

/** The models there are, and whether the workspace can call them. */
export function useModels() {
  return useQuery(modelsQuery);
}

/** The request of {@link useModels}, for what needs the models on a click only. */
export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: () => fetchJson<components["schemas"]["ModelCatalogue"]>("/console/api/models"),
  staleTime: 60_000,
});

/** The providers that the workspace has configured, without their keys. */
export function useProviderKeys() {
  return useQuery({
    queryKey: ["provider-keys"],
    queryFn: () => fetchJson<readonly components["schemas"]["ProviderKey"][]>("/console/api/provider-keys"),
  });
}
