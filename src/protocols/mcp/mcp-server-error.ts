/** An MCP server cannot be used, or rejected a request. The message gives the reason, for people and models. */
export class McpServerError extends Error {
  override readonly name = "McpServerError";
  /** Whether the server rejected the request because it does not know the session, and so has not executed it. */
  readonly isLostSession: boolean;

  constructor(message: string, { cause, isLostSession = false }: McpServerErrorOptions = {}) {
    super(message, { cause });
    this.isLostSession = isLostSession;
  }
}

/** An account at an MCP server cannot be used: the server itself may well work, with the accounts of others. */
export class McpAccountError extends McpServerError {
  /** Whether the account's record says why. */
  readonly isLost: boolean;

  constructor(
    message: string,
    { isLost = false, ...options }: McpServerErrorOptions & { readonly isLost?: boolean } = {},
  ) {
    super(message, options);
    this.isLost = isLost;
  }
}

interface McpServerErrorOptions {
  readonly cause?: unknown;
  readonly isLostSession?: boolean;
}
