import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";

/** A provider's key, pasted and stored; afterwards its models can be used. It is held here only until then. */
export function ProviderKeyField({ provider, reason }: { readonly provider: string; readonly reason: string | null }) {
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");

  async function save(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await read(
        api.PUT("/console/api/provider-keys/{provider}", { params: { path: { provider } }, body: { api_key: key } }),
      );
      setKey("");
      await client.invalidateQueries({ queryKey: ["models"] });
    } catch (failure) {
      setError(asProblem(failure).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field label={`Key for ${provider}`} help={reason ?? undefined} error={error}>
          <Input
            type="password"
            autoComplete="off"
            value={key}
            onChange={({ target }) => setKey(target.value)}
            placeholder="Paste the key"
          />
        </Field>
      </div>
      <Button
        className="mb-[1.375rem]"
        isBusy={isBusy}
        blockedBy={blockedBy}
        disabled={key === ""}
        onClick={() => void save()}
      >
        Save key
      </Button>
    </div>
  );
}
