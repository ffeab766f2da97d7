import type { ModelProviders } from "#operations/models/model-providers.ts";
import type { Provider } from "#providers/define-provider.ts";
import type { ProviderDirectory } from "./provider-directory.ts";

/** Describes the registered vendors to operations. */
export function createModelProviders(
  providers: readonly Provider[],
  directory: Pick<ProviderDirectory, "findObstacle">,
): ModelProviders {
  const sorted = providers.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    list: (workspaceId) =>
      Promise.all(
        sorted.map(async (provider) => ({
          id: provider.id,
          label: provider.label,
          obstacle: await directory.findObstacle(workspaceId, provider),
        })),
      ),
  };
}
