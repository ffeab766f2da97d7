import { useQueryClient } from "@tanstack/react-query";
import { api, read } from "../../api/client.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input } from "../../ui/field.tsx";

interface FormProps {
  /** Gets the id of what was connected. */
  readonly onConnected: (id: string) => void;
  readonly onClose: () => void;
}

const STORED = "Stored encrypted, never shown again.";

/** Connects a remote agent by the address of its card. */
export function RemoteAgentForm({ onConnected, onClose }: FormProps) {
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
        <Field label="Token" aside="optional" error={errorOf("token")} help={`Sent as the bearer token. ${STORED}`}>
          <Input name="token" type="password" autoComplete="off" />
        </Field>
        <Buttons isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Connects an MCP server; its tools are listed. */
export function McpServerForm({ onConnected, onClose }: FormProps) {
  const client = useQueryClient();
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const authorization = textIn(values, "authorization");
    const headers = authorization === "" ? {} : { headers: { Authorization: authorization } };
    const body = { name: textIn(values, "name"), url: textIn(values, "url"), ...headers };
    const { id } = await read(api.POST("/console/api/mcp-servers", { body }));
    await client.invalidateQueries({ queryKey: ["mcp-servers"] });
    onConnected(id);
  });
  const error = formError(["name", "url", "headers.Authorization"]);
  return (
    <Dialog title="Connect an MCP server" description="Agents can then list its tools." isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="Name" error={errorOf("name")} help="Agents list its tools as mcp:name/tool.">
          <Input name="name" required autoFocus autoComplete="off" spellCheck={false} placeholder="tracker" />
        </Field>
        <Field label="URL" error={errorOf("url")}>
          <Input name="url" type="url" required autoComplete="off" placeholder="https://mcp.example.com/mcp" />
        </Field>
        <Field
          label="Authorization header"
          aside="optional"
          error={errorOf("headers.Authorization")}
          help={`Such as "Bearer" and a token. ${STORED}`}
        >
          <Input name="authorization" type="password" autoComplete="off" />
        </Field>
        <Buttons isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function Buttons({ isBusy, onClose }: { readonly isBusy: boolean; readonly onClose: () => void }) {
  return (
    <DialogActions>
      <Button onClick={onClose}>Close</Button>
      <Button look="primary" type="submit" isBusy={isBusy}>
        Connect
      </Button>
    </DialogActions>
  );
}
