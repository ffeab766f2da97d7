import { z } from "zod";

const MAX_SCOPE = 1_000;
const MAX_REDIRECT = 8_000;
/** Characters of a scope (RFC 6749, 3.3) and of a client's id and secret (RFC 6749, A.1 and A.2). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;
const VISIBLE = /^[\x20-\x7e]+$/;

/** Whose account the calls of a server use. */
export const ACCOUNT_KINDS = ["workspace", "person"] as const;

/** One of {@link ACCOUNT_KINDS}. */
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** How people sign in to a server by OAuth, as an admin sets it. */
export const mcpOAuth = z.strictObject({
  account: z
    .enum(ACCOUNT_KINDS)
    .describe(
      "workspace: one account for all runs. person: each person's own, for runs that he started and calls that he approved.",
    ),
  scope: z
    .string()
    .max(MAX_SCOPE)
    .regex(SCOPE, "must be scopes with single spaces between")
    .nullish()
    .describe("The scopes to ask for; by default those that the server names."),
  client_id: z
    .string()
    .max(500)
    .regex(VISIBLE, "must be visible ASCII characters")
    .nullish()
    .describe("The id of a client that you have registered; by default Muster registers one."),
  client_secret: z
    .string()
    .max(2_000)
    .regex(VISIBLE, "must be visible ASCII characters")
    .nullish()
    .describe("Its secret; stored encrypted, never shown."),
});

/** Settings of OAuth, validated. */
export type McpOAuth = Readonly<z.output<typeof mcpOAuth>>;

/** Settings of OAuth as they are stored. The client's secret is kept elsewhere, encrypted. */
export interface StoredMcpOAuth {
  readonly account: AccountKind;
  readonly scope: string | null;
  readonly client_id: string | null;
}

/** The body of POST /console/api/mcp-servers/finish. */
export const finishedSignIn = z.strictObject({
  url: z
    .string()
    .max(MAX_REDIRECT)
    .refine((text) => URL.canParse(text), "must be the URL of the page to which the browser was sent")
    .describe("The whole URL of the page to which the browser was sent after the sign-in."),
});

/** The row to which the encrypted OAuth client of a server is bound. */
export function mcpClientContext(workspaceId: string, serverId: string): string {
  return `mcp_clients:${workspaceId}:${serverId}`;
}

/** The row to which the encrypted tokens of an account are bound. */
export function mcpAccountContext(workspaceId: string, id: string): string {
  return `mcp_accounts:${workspaceId}:${id}`;
}

/** The row to which an encrypted sign-in in progress is bound. */
export function mcpSignInContext(workspaceId: string, id: string): string {
  return `mcp_sign_ins:${workspaceId}:${id}`;
}
