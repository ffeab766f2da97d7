import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createKey } from "#client/gen/operations/keys.ts";
import { call } from "../../api/client.ts";
import { now } from "../../lib/clock.ts";
import { oneOf } from "../../lib/search.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { useDrafted } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { KeyLimitFields } from "./key-limit-fields.tsx";
import { limitsIn } from "./key-limits.ts";
import { useAllServiceAccounts } from "./queries.ts";

const KINDS = ["envelope", "table", "mcp", "a2a", "ag-ui"] as const;
const KIND_LABELS = {
  envelope: "The API, and all that the console does",
  table: "The table API",
  mcp: "The MCP server",
  a2a: "A2A",
  "ag-ui": "AG-UI streams",
} as const;
const DAY_MS = 86_400_000;
const ENDS = { "": "Never", "30": "In 30 days", "90": "In 90 days", "365": "In a year" } as const;

/** Makes a key, and shows it once. */
export function KeyDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [made, setMade] = useState<string>();
  async function saved({ key }: { readonly key: string }): Promise<void> {
    setMade(key);
    await client.invalidateQueries({ queryKey: ["keys"] });
  }
  if (made !== undefined) {
    return (
      <OneTimeSecret label="Key" title="Your new key" secret={made} onClose={onClose}>
        Copy it now: it is shown only once, and stored as a hash.
      </OneTimeSecret>
    );
  }
  return (
    <RecordDialog
      title="New key"
      action="Create key"
      draft="key"
      save={(values) => call(createKey)(bodyOf(values))}
      onSaved={saved}
      onClose={onClose}
    >
      <TextField
        name="label"
        label="Label"
        help="What uses it, such as a server or a script."
        autoFocus
        placeholder="Build server"
      />
      <OwnerField />
      <AccessFields />
    </RecordDialog>
  );
}

/** Whose rights the key has: the person's, or a service account's, if there is one. */
function OwnerField() {
  const accounts = useAllServiceAccounts().data ?? [];
  if (accounts.length === 0) return null;
  return (
    <SelectField
      name="service_account_id"
      label="Belongs to"
      help="Your own keys end when you leave the workspace."
      defaultValue=""
    >
      <option value="">You</option>
      {accounts.map(({ id, name }) => (
        <option key={id} value={id}>
          {visibleText(name)}
        </option>
      ))}
    </SelectField>
  );
}

/** What the key opens, and what it is limited to, which depends on that. */
function AccessFields() {
  const [typed, setKind] = useDrafted("kind", "envelope");
  const kind = kindOf(typed);
  return (
    <>
      <SelectField
        name="kind"
        label="Access"
        value={kind}
        onChange={({ target }) => setKind(target.value)}
        options={KIND_LABELS}
      />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField name="scopes" label="Permission">
          <option value="write">Read and write</option>
          <option value="read">Read only</option>
        </SelectField>
        <SelectField name="ends" label="Expires" path="expires_at" options={ENDS} />
      </div>
      <KeyLimitFields key={kind} kind={kind} />
    </>
  );
}

function kindOf(text: string) {
  return oneOf(text, KINDS) ?? "envelope";
}

function bodyOf(values: FormData) {
  const days = Number(textIn(values, "ends"));
  const kind = kindOf(textIn(values, "kind"));
  return {
    label: textIn(values, "label"),
    kind,
    ...limitsIn(kind, values),
    service_account_id: textIn(values, "service_account_id") || null,
    scopes: textIn(values, "scopes") === "read" ? (["read"] as const) : (["read", "write"] as const),
    ...(days > 0 && { expires_at: new Date(now() + days * DAY_MS).toISOString() }),
  };
}
