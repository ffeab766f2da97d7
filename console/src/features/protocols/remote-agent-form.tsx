import { useQueryClient } from "@tanstack/react-query";
import { api, read } from "../../api/client.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input } from "../../ui/field.tsx";

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
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const token = textIn(values, "token");
    const body = { base_url: textIn(values, "base_url"), ...(token !== "" && { token }) };
    const { id } = await read(api.POST("/console/api/remote-agents", { body }));
    await client.invalidateQueries({ queryKey: ["remote-agents"] });
    onConnected(id);
  });
  const error = formError(["base_url", "token"]);
  return (
    <Dialog title="Connect a remote agent" description="Its card says what it can do." isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="Base URL" error={errorOf("base_url")} help="Where /.well-known/agent-card.json is.">
          <Input
            name="base_url"
            type="url"
            required
            autoFocus
            autoComplete="off"
            placeholder="https://agents.example.com"
          />
        </Field>
        <Field
          label="Token"
          aside="optional"
          error={errorOf("token")}
          help="Sent as the bearer token. Stored encrypted, never shown again."
        >
          <Input name="token" type="password" autoComplete="off" />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            Connect
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
