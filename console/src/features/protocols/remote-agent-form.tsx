import { useQueryClient } from "@tanstack/react-query";
import { createRemoteAgent } from "#client/gen/operations/remote-agents.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";

/** Connects a remote agent by the URL of its card. */
export function RemoteAgentForm({
  onConnected,
  onClose,
}: {
  /** Gets the id of what was connected. */
  readonly onConnected: (id: string) => void;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  async function save(values: FormData): Promise<string> {
    const token = textIn(values, "token");
    const body = { base_url: textIn(values, "base_url"), ...(token !== "" && { token }) };
    const { id } = await call(createRemoteAgent)(body);
    await client.invalidateQueries({ queryKey: ["remote-agents"] });
    return id;
  }
  return (
    <RecordDialog
      title="Connect a remote agent"
      description="Its card says what it can do."
      action="Connect"
      draft="remote-agent"
      save={save}
      onSaved={onConnected}
      onClose={onClose}
    >
      <TextField
        name="base_url"
        label="Base URL"
        help="It serves /.well-known/agent-card.json."
        type="url"
        required
        autoFocus
        placeholder="https://agents.example.com"
      />
      <TextField
        name="token"
        label="Token"
        aside="optional"
        help="Sent as the bearer token. Stored encrypted, never shown again."
        type="password"
      />
    </RecordDialog>
  );
}
