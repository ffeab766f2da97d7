import { useQueryClient } from "@tanstack/react-query";
import { deleteProviderKey, saveProviderKey } from "#client/gen/operations/models.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { showToast } from "../../ui/messages.ts";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import { connectionIn } from "./connection-values.ts";
import { ProviderTestButton, ProviderTestResult, useProviderTest } from "./provider-test.tsx";
import type { ConnectedProvider } from "./connected-provider.ts";

const BILLING = { "per-token": "Per token", "subscription-quota": "Subscription" } as const;

/** Sets, replaces or removes the workspace's key of a provider. Only this form holds the key, until it is stored. */
export function ProviderDialog({
  provider,
  onClose,
}: {
  readonly provider: ConnectedProvider;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const test = useProviderTest(provider.id);
  const path = { provider: provider.id };
  async function changed(): Promise<void> {
    await Promise.all(["provider-keys", "models"].map((key) => client.invalidateQueries({ queryKey: [key] })));
  }
  async function save(values: FormData): Promise<void> {
    await call(saveProviderKey)(path, bodyOf(values));
    await changed();
    showToast(`${provider.label} key saved.`);
  }
  return (
    <RecordDialog
      title={`${provider.label} key`}
      action="Save key"
      draft={`provider-key.${provider.id}`}
      save={save}
      onSaved={onClose}
      onClose={onClose}
      removal={
        provider.key && {
          title: `Remove the ${provider.label} key?`,
          action: "Remove key",
          effect: "Agents that use its models fail at their next model call, unless this service has its own key.",
          remove: () => call(deleteProviderKey)(path).then(changed),
        }
      }
      beside={<ProviderTestButton test={test} />}
    >
      <Fields provider={provider} />
      <ProviderTestResult test={test} />
    </RecordDialog>
  );
}

function Fields({ provider }: { readonly provider: ConnectedProvider }) {
  return (
    <>
      <TextField
        name="api_key"
        label="API key"
        help={keyHelp(provider)}
        type="password"
        autoFocus
        spellCheck={false}
        placeholder="Paste the key"
      />
      <div className="grid grid-cols-[1fr_10rem] gap-4 max-sm:grid-cols-1">
        <TextField
          name="base_url"
          label="Base URL"
          aside="optional"
          help="For a proxy, a gateway or an endpoint of your own."
          type="url"
          defaultValue={provider.key?.base_url ?? ""}
          placeholder="https://"
        />
        <SelectField
          name="billing_model"
          label="Billing"
          defaultValue={provider.key?.billing_model}
          options={BILLING}
        />
      </div>
      <ConnectionFields provider={provider} />
      {provider.any_model && (
        <TextField
          name="test_model"
          label="Model for a test"
          aside="optional"
          help="A provider without a list of models needs one to be named."
          spellCheck={false}
        />
      )}
    </>
  );
}

function keyHelp({ key, key_help: what }: ConnectedProvider): string {
  const begin = what === null ? "" : `${what} `;
  if (key === undefined) return `${begin}Stored encrypted and never shown again.`;
  const now = key.last4 === null ? "No key is stored." : `The stored one ends in ${key.last4}.`;
  return `${begin}${now} Saving replaces all parts of the connection together.`;
}

function bodyOf(values: FormData) {
  const billing = textIn(values, "billing_model");
  return {
    ...connectionIn(values),
    billing_model: billing === "subscription-quota" ? ("subscription-quota" as const) : ("per-token" as const),
  };
}
