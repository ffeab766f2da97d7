import { InsufficientScopeError, SdkHttpError, extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { AuthProvider, FetchLike } from "@modelcontextprotocol/client";
import { McpServerError } from "./mcp-server-error.ts";
import { SignInNeededError } from "./sign-in-needed.ts";

const SCHEME = "Bearer ";

/** The account whose tokens the requests of a connection carry. */
export interface McpAuth {
  /** The access token, renewed before it expires. @throws McpServerError when the account is lost */
  token(): Promise<string>;
  /** Renews the tokens, unless the rejected one is not the current one any more. @throws McpServerError when the account is lost */
  renew(rejected: string): Promise<void>;
  /** The server rejects the renewed token, too: the account is lost, unless it has other tokens by now. @returns what to tell people */
  reject(rejected: ReadonlySet<string>): Promise<McpServerError>;
  /** The account may do too little: it must be connected again for more. @returns what to tell people */
  widen(scope: string | undefined): Promise<McpServerError>;
  /** The tokens that this connection has used lately, to keep out of texts. */
  used(): Readonly<Record<string, string>>;
}

/** The tokens of a connection as the SDK asks for them. */
export interface ConnectionAuth {
  readonly authProvider: AuthProvider;
  /** Notes which token a response rejects: requests of one connection run beside each other. */
  noting(fetch: FetchLike): FetchLike;
  /** What the rejection of a token means; undefined for any other error. */
  explain(error: unknown): Promise<McpServerError | undefined>;
  /** Why no connection was made, if it was for want of a token. */
  refusal(): McpServerError | undefined;
}

/** Creates them; without an account, the refusal says how to sign in. */
export function createConnectionAuth(auth: McpAuth | undefined): ConnectionAuth {
  let refused: McpServerError | undefined;
  const rejectedBy = new WeakMap<object, string>();
  const rejected = new Set<string>();
  return {
    authProvider: {
      token: async () => auth?.token().catch(note),
      async onUnauthorized({ response }) {
        if (auth !== undefined) return auth.renew(rejectedBy.get(response) ?? "").catch(note);
        return note(signInNeeded(response));
      },
    },
    noting: (fetch) => async (url, init) => {
      const response = await fetch(url, init);
      const token = new Headers(init?.headers).get("authorization")?.slice(SCHEME.length);
      if (response.status === 401 && token !== undefined) {
        rejectedBy.set(response, token);
        rejected.add(token);
      }
      return response;
    },
    async explain(error) {
      const cause = error instanceof McpServerError ? error.cause : error;
      if (auth === undefined) return undefined;
      if (InsufficientScopeError.isInstance(cause)) return auth.widen(cause.requiredScope);
      return SdkHttpError.isInstance(cause) && cause.status === 401 ? auth.reject(rejected) : undefined;
    },
    refusal: () => refused,
  };

  function note(error: unknown): never {
    if (error instanceof McpServerError) refused = error;
    throw error;
  }
}

function signInNeeded(response: Response): SignInNeededError {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  const advice = resourceMetadataUrl === undefined ? "check its headers" : "check its headers, or sign in by OAuth";
  return new SignInNeededError(`The server rejected the credentials (HTTP 401): ${advice}.`, {
    ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
    ...(scope !== undefined && { scope }),
  });
}
