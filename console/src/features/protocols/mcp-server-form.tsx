import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createMcpServer, discoverMcpServer, updateMcpServer } from "#client/gen/operations/mcp-servers.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { HeadersField, headersOf } from "../../ui/headers-field.tsx";
import { AccountChoice, accountIn } from "./account-choice.tsx";
import { openSignIn } from "./mcp-account.tsx";
import { McpPreview } from "./mcp-preview.tsx";
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
  async function save(values: FormData): Promise<string | undefined> {
    const endpoint = { url: textIn(values, "url").trim(), headers: headersOf(values, NONE) };
    if (found === undefined) {
      setFound(await call(discoverMcpServer)(endpoint));
      return undefined;
    }
    const oauth = found.needs_sign_in ? { account: accountIn(values) } : null;
    const { id } = await call(createMcpServer)({ name: textIn(values, "name").trim(), ...endpoint, oauth });
    if (oauth !== null) await openSignIn(id);
    await client.invalidateQueries({ queryKey: ["mcp-servers"] });
    return id;
  }
  return (
    <RecordDialog
      title="Connect an MCP server"
      description="Agents can then list its tools."
      action={found === undefined ? "List tools" : found.needs_sign_in ? "Sign in" : "Connect"}
      draft="mcp-server.new"
      save={save}
      keepsDraft={found === undefined}
      onSaved={(id) => {
        if (id !== undefined) onConnected(id);
      }}
      // Another URL or header may lead to other tools.
      onChange={(field) => field !== "name" && field !== "account" && setFound(undefined)}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        help="Agents list its tools as mcp:name/tool."
        required
        autoFocus
        spellCheck={false}
        placeholder="tracker"
      />
      <TextField name="url" label="URL" type="url" required placeholder="https://mcp.example.com/mcp" />
      <HeadersField stored={NONE} />
      {found !== undefined && (found.needs_sign_in ? <AccountChoice /> : <McpPreview found={found} />)}
    </RecordDialog>
  );
}

/** Changes the URL and headers of a server; its tools are listed again. A header keeps its value unless another is typed. */
export function EditMcpServer({ server, onClose }: { readonly server: McpServer; readonly onClose: () => void }) {
  const client = useQueryClient();
  async function save(values: FormData): Promise<void> {
    const body = { url: textIn(values, "url").trim(), headers: headersOf(values, server.headers) };
    await call(updateMcpServer)({ id: server.id }, body);
    await client.invalidateQueries({ queryKey: ["mcp-servers"] });
  }
  return (
    <RecordDialog
      title={`Edit ${server.name}`}
      description="Its tools are listed again."
      action="Save server"
      draft={`mcp-server.${server.id}`}
      save={save}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextField name="url" label="URL" type="url" required autoFocus defaultValue={server.url} />
      <HeadersField stored={server.headers} />
    </RecordDialog>
  );
}
