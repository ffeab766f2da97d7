import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, finish, read } from "../../api/client.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input, Select } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { VendorTestButton, VendorTestResult, useVendorTest } from "./vendor-test.tsx";
import type { Vendor } from "./vendor.ts";

const FIELDS = ["api_key", "base_url", "billing_model"] as const;
const BILLING = { "per-token": "Per token", "subscription-quota": "Subscription" } as const;

/** Sets, replaces or removes the workspace's key of a vendor. The key is held by this form only, until it is stored. */
export function VendorDialog({ vendor, onClose }: { readonly vendor: Vendor; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const test = useVendorTest(vendor.id);
  const path = { provider: vendor.id };
  const changed = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["provider-keys"] }),
      client.invalidateQueries({ queryKey: ["models"] }),
    ]);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    await read(api.PUT("/console/api/provider-keys/{provider}", { params: { path }, body: bodyOf(values) }));
    await changed();
    showToast(`Key of ${vendor.label} saved.`);
    onClose();
  });
  const error = formError(FIELDS);
  if (isRemoving) {
    return (
      <Confirm
        title={`Remove the key of ${vendor.label}?`}
        action="Remove key"
        onClose={onClose}
        onConfirm={async () => {
          await finish(api.DELETE("/console/api/provider-keys/{provider}", { params: { path } }));
          await changed();
        }}
      >
        <p>Agents that use its models fail at their next model call, unless this service has its own key.</p>
      </Confirm>
    );
  }
  return (
    <Dialog title={`Key of ${vendor.label}`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="API key" error={errorOf("api_key")} help={keyHelp(vendor)}>
          <Input
            name="api_key"
            type="password"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder="Paste the key"
          />
        </Field>
        <div className="grid grid-cols-[1fr_160px] gap-4 max-sm:grid-cols-1">
          <Field
            label="Base URL"
            aside="optional"
            error={errorOf("base_url")}
            help="For a proxy, a gateway or an endpoint of your own."
          >
            <Input name="base_url" type="url" defaultValue={vendor.key?.base_url ?? ""} placeholder="https://" />
          </Field>
          <Field label="Billing" error={errorOf("billing_model")}>
            <Select name="billing_model" defaultValue={vendor.key?.billing_model}>
              {Object.entries(BILLING).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        {vendor.any_model && (
          <Field
            label="Model for a test"
            aside="optional"
            help="A vendor without a list of models needs one to be named."
          >
            <Input name="test_model" autoComplete="off" spellCheck={false} />
          </Field>
        )}
        <VendorTestResult test={test} />
        <DialogActions>
          {vendor.key !== undefined && (
            <Button look="danger" className="me-auto" onClick={() => setRemoving(true)}>
              Remove key
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <VendorTestButton test={test} />
          <Button look="primary" type="submit" isBusy={isBusy}>
            Save key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function keyHelp({ key }: Vendor): string {
  if (key === undefined) return "Stored encrypted and never shown again.";
  const now = key.last4 === null ? "No key is stored." : `The stored one ends in ${key.last4}.`;
  return `${now} Saving replaces key and address together.`;
}

function bodyOf(values: FormData) {
  const [key, url, billing] = [textIn(values, "api_key"), textIn(values, "base_url"), textIn(values, "billing_model")];
  return {
    ...(key !== "" && { api_key: key }),
    ...(url !== "" && { base_url: url }),
    billing_model: billing === "subscription-quota" ? ("subscription-quota" as const) : ("per-token" as const),
  };
}
