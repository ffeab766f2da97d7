import { useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { useModels, useProviderKeys } from "../features/models/queries.ts";
import { ProviderDialog } from "../features/models/provider-dialog.tsx";
import { ProviderTable } from "../features/models/provider-table.tsx";
import { connectedProviders } from "../features/models/connected-provider.ts";
import { ErrorState, LoadingRows } from "../ui/states.tsx";

/** The providers of models, and the keys with which the workspace pays them. */
export function ModelSettings() {
  const { provider: opened } = useSearch({ from: "/w/$workspace/settings/models" });
  const navigate = useNavigate();
  const models = useModels();
  const keys = useProviderKeys();
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
  const error = models.error ?? keys.error;
  if (error !== null)
    return <ErrorState error={error} onRetry={() => void models.refetch().then(() => keys.refetch())} />;
  if (models.data === undefined || keys.data === undefined) return <LoadingRows rows={5} />;
  const providers = connectedProviders(models.data.providers, keys.data);
  const edited = blockedBy === undefined ? providers.find(({ id }) => id === opened) : undefined;
  return (
    <>
      <ProviderTable providers={providers} />
      {edited !== undefined && (
        <ProviderDialog
          provider={edited}
          onClose={() => void navigate({ to: ".", search: (before) => ({ ...before, provider: undefined }) })}
        />
      )}
    </>
  );
}
