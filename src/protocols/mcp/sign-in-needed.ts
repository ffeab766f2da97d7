import { McpServerError } from "./mcp-server-error.ts";

/** What a server says of the sign-in that it asks for. */
export interface SignInChallenge {
  /** Where its protected-resource metadata is (RFC 9728). */
  readonly resourceMetadataUrl?: string;
  readonly scope?: string;
}

/** An MCP server rejects requests without an account. */
export class SignInNeededError extends McpServerError {
  readonly challenge: SignInChallenge;

  constructor(message: string, challenge: SignInChallenge) {
    super(message);
    this.challenge = challenge;
  }
}
