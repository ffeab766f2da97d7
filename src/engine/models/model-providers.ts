import { CONNECTION_FIELDS } from "#domain/models/connection-fields.ts";
import type { GivenConnection, ProviderField } from "#domain/models/model-providers.ts";
import type { Provider } from "#providers/define-provider.ts";
import { testConnection } from "./test-connection.ts";
import type { ModelProviders } from "#domain/models/model-providers.ts";
import type { ProviderDirectory } from "../run/ports.ts";

/** Describes the registered providers to operations. */
export function createModelProviders(
  providers: readonly Provider[],
  directory: Pick<ProviderDirectory, "findObstacle" | "connect" | "invalidate">,
): ModelProviders {
  const sorted = providers.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const find = (id: string) => sorted.find((provider) => provider.id === id);
  return {
    list: (workspaceId) =>
      Promise.all(
        sorted.map(async (provider) => ({
          id: provider.id,
          label: provider.label,
          keyHelp: provider.keyHelp,
          fields: fieldsOf(provider),
          obstacle: await directory.findObstacle(workspaceId, provider),
        })),
      ),
    test: (workspaceId, { provider, given, ...call }) =>
      testConnection(provider, {
        ...call,
        testModel: find(provider)?.testModel,
        connect: () => directory.connect(workspaceId, { provider, given }),
      }),
    check(id, given) {
      const provider = find(id);
      return provider === undefined ? [] : issuesOf(provider, given);
    },
    invalidate: directory.invalidate,
  };
}

function fieldsOf({ settings }: Provider): readonly ProviderField[] {
  return CONNECTION_FIELDS.flatMap((name) => {
    const help = settings?.[name]?.help;
    return help === undefined ? [] : [{ name, help }];
  });
}

function issuesOf(provider: Provider, given: GivenConnection) {
  const has = fieldsOf(provider).map(({ name }) => name);
  const others = CONNECTION_FIELDS.filter((name) => given[name] !== undefined && !has.includes(name));
  const allowed = has.length === 0 ? "it has only a key and a base URL" : `it has ${has.join(", ")}`;
  const key = given.apiKey === undefined ? undefined : provider.keyProblem?.(given.apiKey);
  return [
    ...others.map((path) => ({ path, message: `is not a field of ${provider.label}: ${allowed}` })),
    ...(key === undefined ? [] : [{ path: "api_key", message: key }]),
  ];
}
