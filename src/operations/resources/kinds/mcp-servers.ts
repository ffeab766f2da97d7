import { z } from "zod";
import { serviceIn } from "#domain/access/role.ts";
import { mcpClientContext } from "#domain/tools/mcp-account.ts";
import { mcpServerCreate, mcpServerPatch } from "#domain/tools/mcp-server.ts";
import { readMcpServer } from "#db/queries/mcp-servers/mcp-servers.ts";
import type { McpServerRow } from "#db/queries/mcp-servers/mcp-servers.ts";
import { isRecord } from "#lib/is-record.ts";
import { headersOf } from "../../mcp-servers/connect.ts";
import {
  deleteMcpServer,
  discoverBeforeSignIn,
  discoverMcpServer,
  prepareMcpPatch,
  registerMcpServer,
  updateMcpServer,
} from "../../mcp-servers/servers.ts";
import type { Workspace } from "../../workspace.ts";
import { STORED_SECRET, defineResourceKind, idOf, oneByOne, pick, readAll } from "../resource-kind.ts";
import type { Fields } from "../resource-kind.ts";
import { headerSecrets } from "./header-secrets.ts";

const CLIENT_SECRET = "oauth.client_secret";
const FIELDS = Object.keys(mcpServerCreate.shape);
const client = z.looseObject({ client_secret: z.string().nullish() });

/** MCP servers. A new one, and one with another URL or other headers, is asked for its tools. */
export const mcpServers = defineResourceKind({
  resource: "mcp_server",
  folder: "mcp-servers",
  schema: mcpServerCreate,
  listed: "mcp_server",
  secretsOf: () => ["headers.*", CLIENT_SECRET],
  async read(workspace) {
    const servers = await readAll(workspace, "mcp_server");
    return Promise.all(
      servers.map(async ({ id, record }) => {
        const { oauth } = record;
        const mayHave = isRecord(oauth) && oauth["client_id"] != null;
        if (!mayHave || (await clientSecretOf(workspace, id)) === undefined) return { id, record };
        return { id, record: { ...record, oauth: { ...oauth, client_secret: STORED_SECRET } } };
      }),
    );
  },
  fieldsOf: (record) => withoutNulls(pick(record, FIELDS)),
  async openSecrets(workspace, id) {
    const server = await readMcpServer(workspace, id);
    const secret = await clientSecretOf(workspace, id);
    const headers = headerSecrets(server && headersOf(workspace, workspace.who, server));
    return new Map([...headers, ...(secret === undefined ? [] : [[CLIENT_SECRET, secret] as const])]);
  },
  async begin(workspace, { id, isNew, input, signal }) {
    if (isNew) {
      const server = mcpServerCreate.parse(input.fields);
      const discover = server.oauth === null ? discoverMcpServer : discoverBeforeSignIn;
      const discovered = await discover(workspace, { url: server.url, headers: server.headers, signal });
      return async (joined) => ({ id: idOf(await registerMcpServer(joined, { server, discovered })) });
    }
    const changes = mcpServerPatch.parse(input.changes);
    const patch =
      changes.oauth?.client_secret === STORED_SECRET
        ? { ...changes, oauth: { ...changes.oauth, client_secret: await clientSecretOf(workspace, id) } }
        : changes;
    const prepared = await prepareMcpPatch(workspace, { id, patch, signal });
    return async (joined) => {
      await updateMcpServer(joined, prepared);
      return { id };
    };
  },
  remove: oneByOne(deleteMcpServer),
});

/** The secret of the OAuth client that an admin gave. As the service: whether there is one is no secret. */
async function clientSecretOf({ db, secrets, who }: Workspace, id: string): Promise<string | undefined> {
  const { workspaceId } = who;
  const server: McpServerRow | undefined = await readMcpServer(db.inWorkspace(serviceIn(workspaceId)), id);
  const encrypted = server?.client_ciphertext ?? null;
  if (encrypted === null) return undefined;
  const opened: unknown = JSON.parse(secrets.open(encrypted, mcpClientContext(workspaceId, id)));
  return client.parse(opened).client_secret ?? undefined;
}

/** The API shows what is absent of `oauth` as null. */
function withoutNulls({ oauth, ...fields }: Fields): Fields {
  if (!isRecord(oauth)) return { ...fields, oauth };
  return { ...fields, oauth: Object.fromEntries(Object.entries(oauth).filter(([, value]) => value !== null)) };
}
