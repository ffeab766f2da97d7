import { z } from "zod";
import { finishedSignIn } from "#domain/tools/mcp-account.ts";
import { MAX_ACCOUNTS, disconnectAccount, listAccounts } from "#operations/mcp-servers/accounts.ts";
import { getMcpServer } from "#operations/mcp-servers/servers.ts";
import { MCP_CALLBACK, beginMcpSignIn, finishMcpSignIn } from "#operations/mcp-servers/sign-in.ts";
import { writeOneOf } from "../../middleware/cookies.ts";
import { originOf } from "../../middleware/origin.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respond, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { mcpServerRecord } from "./mcp-server-records.ts";

const PATH = "/console/api/mcp-servers";
const TAG = "MCP servers";
const STATE_SECONDS = 600;

/** The sign-ins that one browser may have begun, as in several tabs. */
const MAX_SIGN_INS = 3;

/**
 * The kind of cookie with the state of a sign-in that this browser began. The authorization server's redirect comes from
 * another site: a strict cookie would not be sent.
 */
export const SIGN_IN_COOKIE = { name: "muster_mcp_", path: MCP_CALLBACK, sameSite: "Lax" } as const;

const time = z.iso.datetime();

const accountRecord = z
  .strictObject({
    id: z.uuid(),
    server_id: z.uuid(),
    person: z
      .strictObject({ id: z.uuid(), name: z.string() })
      .nullable()
      .describe("Whose account it is; null for the workspace's."),
    status: z.enum(["connected", "lost"]).describe("lost: it must be connected again."),
    error: z.string().nullable().describe("Why it is lost."),
    scope: z.string().nullable(),
    expires_at: time.nullable().describe("When the access token expires; it is renewed before."),
    connected_by: z.uuid().nullable(),
    connected_at: time,
  })
  .meta({ id: "McpAccount" });

const begun = z.strictObject({
  url: z.string().describe("The authorization server's page; open it in a browser within ten minutes."),
});

/** Adds the accounts at MCP servers to which people sign in by OAuth. */
export default function addMcpAccounts(api: Api): void {
  // Registered before the paths with an id.
  addPath(api, `${PATH}/finish`, { tag: TAG, endpoints: [finish] });
  addPath(api, `${PATH}/{id}/connect`, { tag: TAG, endpoints: [connect] });
  addPath(api, `${PATH}/{id}/accounts`, { tag: TAG, endpoints: [list] });
  addPath(api, `${PATH}/{id}/accounts/{account_id}`, { tag: TAG, endpoints: [disconnect] });
}

const connect = endpoint({
  method: "post",
  operationId: "connectMcpServer",
  summary: "Begin to connect your account at an MCP server, or that of the workspace",
  params: idQuery,
  success: { status: 200, schema: begun },
  async prepare({ c, workspace, params }) {
    const begin = { id: params.id, origin: originOf(c, workspace), signal: c.req.raw.signal };
    const { url, state } = await beginMcpSignIn(workspace, begin);
    const kept = { id: state, value: state, seconds: STATE_SECONDS, max: MAX_SIGN_INS };
    writeOneOf(c, workspace, { ...SIGN_IN_COOKIE, ...kept });
    return () => respondValue(c, { url });
  },
});

const finish = endpoint({
  method: "post",
  operationId: "finishMcpServer",
  summary: "Finish a sign-in at an MCP server that was consented to in another browser",
  body: finishedSignIn,
  success: { status: 200, schema: mcpServerRecord },
  async prepare({ c, workspace, body }) {
    const answered = { url: new URL(body.url), who: workspace.who, signal: c.req.raw.signal };
    const { serverId } = await finishMcpSignIn(workspace, answered);
    return async () => respond(c, await getMcpServer(workspace, serverId));
  },
});

const list = endpoint({
  method: "get",
  operationId: "listMcpServerAccounts",
  summary: "List the accounts at an MCP server",
  params: idQuery,
  success: {
    status: 200,
    schema: z.array(accountRecord).describe(`The workspace's first; at most ${MAX_ACCOUNTS}.`),
  },
  handle: async ({ c, workspace, params }) => respondValue(c, await listAccounts(workspace, params.id)),
});

const disconnect = endpoint({
  method: "delete",
  operationId: "disconnectMcpServer",
  summary: "Disconnect an account at an MCP server: your own, or as an admin any",
  params: idQuery.extend({ account_id: z.uuid() }),
  success: { status: 204 },
  handle: ({ workspace, params }) => disconnectAccount(workspace, { serverId: params.id, id: params.account_id }),
});
