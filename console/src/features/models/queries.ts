import { queryOptions, useQuery } from "@tanstack/react-query";
import { listModels, listProviderKeys } from "#client/gen/operations/models.ts";
import { call } from "../../api/client.ts";

/** The models there are, and whether the workspace can call them. */
export function useModels() {
  return useQuery(modelsQuery);
}

/** The request of {@link useModels}, for what needs the models on a click only. */
export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: () => call(listModels)(),
  staleTime: 60_000,
});

/** The providers that the workspace has configured, without their keys. */
export function useProviderKeys() {
  return useQuery({
    queryKey: ["provider-keys"],
    queryFn: () => call(listProviderKeys)(),
  });
}
