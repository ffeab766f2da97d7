import type { ModelProviders } from "#operations/models/model-providers.ts";
import type { Provider } from "#providers/define-provider.ts";
import type { ProviderDirectory } from "./provider-directory.ts";
import { testConnection } from "./test-connection.ts";

/** Describes the registered providers to operations. */
export function createModelProviders(
  providers: readonly Provider[],
  directory: Pick<ProviderDirectory, "findObstacle" | "connect" | "invalidate">,
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
    test: (workspaceId, { provider, given, ...call }) =>
      testConnection(provider, {
        ...call,
        testModel: sorted.find(({ id }) => id === provider)?.testModel,
        connect: () => directory.connect(workspaceId, { provider, given }),
      }),
    invalidate: directory.invalidate,
  };
}
