import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { fetchJson } from "../../api/fetch-json.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input } from "../../ui/field.tsx";
import { HeadersField, headersOf } from "../tools/headers-field.tsx";
import { McpPreview } from "./mcp-preview.tsx";
import { MCP_SERVERS_PATH } from "./queries.ts";
import type { McpDiscovery, McpServer } from "./records.ts";

const NONE = {};

/**
 * Connects an MCP server: its tools are listed first, and saved with it afterwards. What is typed as the value of a
 * header is held by this form only.
 */
export function NewMcpServer({
  onConnected,
  onClose,
}: {
  /** Gets the id of the server. */
  readonly onConnected: (id: string) => void;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [found, setFound] = useState<McpDiscovery>();
  const { onSubmit, isBusy, errorOf, errorUnder, formError } = useSubmit(async (values) => {
    const endpoint = { url: textIn(values, "url").trim(), headers: headersOf(values, NONE) };
    if (found === undefined) {
      setFound(await discover(endpoint));
      return;
    }
    const body = { name: textIn(values, "name").trim(), ...endpoint };
    const { id } = await read(api.POST("/console/api/mcp-servers", { body }));
    await client.invalidateQueries({ queryKey: ["mcp-servers"] });
    onConnected(id);
  });
  const error = formError(["name", "url", "headers"]);
  /** Another URL or header may lead to other tools. */
  function onChange({ target }: { readonly target: EventTarget }): void {
    if (!(target instanceof HTMLInputElement && target.name === "name")) setFound(undefined);
  }
  return (
    <Dialog title="Connect an MCP server" description="Agents can then list its tools." isOpen onClose={onClose}>
      <form onSubmit={onSubmit} onChange={onChange} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="Name" error={errorOf("name")} help="Agents list its tools as mcp:name/tool.">
          <Input name="name" required autoFocus autoComplete="off" spellCheck={false} placeholder="tracker" />
        </Field>
        <Field label="URL" error={errorOf("url")}>
          <Input name="url" type="url" required autoComplete="off" placeholder="https://mcp.example.com/mcp" />
        </Field>
        <HeadersField stored={NONE} error={errorUnder("headers")} />
        {found !== undefined && <McpPreview found={found} />}
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            {found === undefined ? "List tools" : "Connect"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function discover(endpoint: object): Promise<McpDiscovery> {
  const headers = { "Content-Type": "application/json" };
  return fetchJson(`${MCP_SERVERS_PATH}/discover`, { method: "POST", headers, body: JSON.stringify(endpoint) });
}

/** Changes the URL and headers of a server; its tools are listed again. A header keeps its value unless another is typed. */
export function EditMcpServer({ server, onClose }: { readonly server: McpServer; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { onSubmit, isBusy, errorOf, errorUnder, formError } = useSubmit(async (values) => {
    const body = { url: textIn(values, "url").trim(), headers: headersOf(values, server.headers) };
    await read(api.PATCH("/console/api/mcp-servers/{id}", { params: { path: { id: server.id } }, body }));
    await client.invalidateQueries({ queryKey: ["mcp-servers"] });
    onClose();
  });
  const error = formError(["url", "headers"]);
  return (
    <Dialog title={`Edit ${server.name}`} description="Its tools are listed again." isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="URL" error={errorOf("url")}>
          <Input name="url" type="url" required autoFocus autoComplete="off" defaultValue={server.url} />
        </Field>
        <HeadersField stored={server.headers} error={errorUnder("headers")} />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            Save server
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
