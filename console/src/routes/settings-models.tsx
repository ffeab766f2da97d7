import { useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { useModels, useProviderKeys } from "../features/models/queries.ts";
import { ProviderDialog } from "../features/models/provider-dialog.tsx";
import { ProviderTable } from "../features/models/provider-table.tsx";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { connectedProviders } from "../features/models/connected-provider.ts";
import { QueryPart, both } from "../ui/query-part.tsx";

/** The providers of models, and the keys with which the workspace pays them. */
export function ModelSettings() {
  const { provider: opened } = useSearch({ from: "/w/$workspace/settings/models" });
  const navigate = useNavigate();
  const query = both(useModels(), useProviderKeys());
  const blockedBy = useBlockedBy("admin");
  useApiCalls([
    { title: "List keys", method: "GET", path: "/console/api/provider-keys", command: "providers list" },
    {
      title: "Set a key",
      method: "PUT",
      path: `/console/api/provider-keys/${opened ?? "anthropic"}`,
      body: { api_key: "<key>" },
      command: `providers set ${opened ?? "anthropic"} < key.txt`,
    },
  ]);
  const close = () => void navigate({ to: ".", search: (before) => ({ ...before, provider: undefined }) });
  return (
    <QueryPart query={query}>
      {([models, keys]) => {
        const providers = connectedProviders(models.providers, keys);
        const edited = blockedBy === undefined ? providers.find(({ id }) => id === opened) : undefined;
        return (
          <>
            <TabBar text="With a provider's key, agents of this workspace use its models. Keys are stored encrypted." />
            <ProviderTable providers={providers} />
            {edited !== undefined && <ProviderDialog provider={edited} onClose={close} />}
          </>
        );
      }}
    </QueryPart>
  );
}
