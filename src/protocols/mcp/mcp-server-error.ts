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

interface McpServerErrorOptions {
  readonly cause?: unknown;
  readonly isLostSession?: boolean;
}
