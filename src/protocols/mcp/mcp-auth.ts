import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { AuthProvider } from "@modelcontextprotocol/client";
import { McpServerError } from "./mcp-server-error.ts";
import { SignInNeededError } from "./sign-in-needed.ts";

/** The account whose tokens the requests of a connection carry. */
export interface McpAuth {
  /** The access token, renewed before it expires. @throws McpServerError when the account is lost */
  token(): Promise<string>;
  /** Renews the token that the server has rejected. @throws McpServerError when the account is lost */
  renew(): Promise<void>;
  /** The server rejects new tokens, too: the account is lost. @returns what to tell people */
  reject(): Promise<McpServerError>;
  /** The account may do too little: it must be connected again for more. @returns what to tell people */
  widen(scope: string | undefined): Promise<McpServerError>;
}

/** The tokens of a connection as the SDK asks for them, and why the server refused it without an account. */
export function createAuthProvider(auth: McpAuth | undefined): {
  readonly authProvider: AuthProvider;
  refusal(): McpServerError | undefined;
} {
  let refused: McpServerError | undefined;
  return {
    refusal: () => refused,
    authProvider: {
      token: async () => auth?.token().catch(note),
      async onUnauthorized({ response }) {
        if (auth !== undefined) return auth.renew().catch(note);
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
        const advice =
          resourceMetadataUrl === undefined ? "check its headers" : "check its headers, or sign in by OAuth";
        return note(
          new SignInNeededError(`The server rejected the credentials (HTTP 401): ${advice}.`, {
            ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
            ...(scope !== undefined && { scope }),
          }),
        );
      },
    },
  };

  function note(error: unknown): never {
    if (error instanceof McpServerError) refused = error;
    throw error;
  }
}
