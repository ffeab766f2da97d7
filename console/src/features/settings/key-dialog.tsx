import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createKey } from "#client/gen/operations/keys.ts";
import { call } from "../../api/client.ts";
import { now } from "../../lib/clock.ts";
import { oneOf } from "../../lib/search.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";

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
      <SelectField name="kind" label="Access" options={KIND_LABELS} />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField name="scopes" label="Permission">
          <option value="write">Read and write</option>
          <option value="read">Read only</option>
        </SelectField>
        <SelectField name="ends" label="Expires" path="expires_at" options={ENDS} />
      </div>
    </RecordDialog>
  );
}

function bodyOf(values: FormData) {
  const days = Number(textIn(values, "ends"));
  return {
    label: textIn(values, "label"),
    kind: oneOf(textIn(values, "kind"), KINDS) ?? "envelope",
    scopes: textIn(values, "scopes") === "read" ? (["read"] as const) : (["read", "write"] as const),
    ...(days > 0 && { expires_at: new Date(now() + days * DAY_MS).toISOString() }),
  };
}
