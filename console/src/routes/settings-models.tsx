import { useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { useModels, useProviderKeys } from "../features/models/queries.ts";
import { VendorDialog } from "../features/models/vendor-dialog.tsx";
import { VendorTable } from "../features/models/vendor-table.tsx";
import { vendorsOf } from "../features/models/vendor.ts";
import { ErrorState, LoadingRows } from "../ui/states.tsx";

/** The vendors of models, and the keys with which the workspace pays them. */
export function ModelSettings() {
  const { vendor: opened } = useSearch({ from: "/w/$workspace/settings/models" });
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
  const vendors = vendorsOf(models.data.providers, keys.data);
  const edited = blockedBy === undefined ? vendors.find(({ id }) => id === opened) : undefined;
  return (
    <>
      <VendorTable vendors={vendors} />
      {edited !== undefined && (
        <VendorDialog
          vendor={edited}
          onClose={() => void navigate({ to: ".", search: (before) => ({ ...before, vendor: undefined }) })}
        />
      )}
    </>
  );
}
