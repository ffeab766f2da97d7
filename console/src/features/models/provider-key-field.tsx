import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveProviderKey } from "#client/gen/operations/models.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { ProviderLink } from "./provider-link.tsx";
import { useModels } from "./queries.ts";

/** A provider's key, pasted and stored; afterwards its models can be used. It is held here only until then. */
export function ProviderKeyField({ provider }: { readonly provider: string }) {
  const { data: models } = useModels();
  const known = models?.providers.find(({ id }) => id === provider);
  const label = known?.label ?? provider;
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");

  async function save(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await call(saveProviderKey)({ provider }, { api_key: key });
      setKey("");
      await client.invalidateQueries({ queryKey: ["models"] });
    } catch (failure) {
      setError(asProblem(failure).message);
    } finally {
      setBusy(false);
    }
  }

  if (known?.fields.some(({ name }) => name !== "api")) {
    return (
      <p className="text-small text-ink-3">
        {label} needs more than a key. <ProviderLink provider={provider}>Connect it in the settings</ProviderLink>
      </p>
    );
  }
  return (
    <Field label={`Key for ${label}`} help="For all agents of this workspace. Stored encrypted." error={error}>
      <div className="flex gap-2">
        <Input
          type="password"
          autoComplete="off"
          value={key}
          onChange={({ target }) => setKey(target.value)}
          placeholder="Paste the key"
        />
        <Button isBusy={isBusy} blockedBy={blockedBy} disabled={key === ""} onClick={() => void save()}>
          Save key
        </Button>
      </div>
    </Field>
  );
}
