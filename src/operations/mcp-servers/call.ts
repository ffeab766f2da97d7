import { storableText } from "#domain/storable.ts";
import type { McpCall, McpConnection } from "#protocols/mcp/connect.ts";
import { McpAccountError, McpServerError } from "#protocols/mcp/mcp-server-error.ts";
import { readContent } from "#protocols/mcp/read-content.ts";
import type { McpContent } from "#protocols/mcp/read-content.ts";
import { withoutSecrets } from "../tools/stored-headers.ts";
import type { Headers } from "../tools/stored-headers.ts";

/** The result of a tool. The server's headers and tokens are redacted. */
export interface McpResult {
  readonly content: readonly McpContent[];
  /** True if the tool reports a failure. */
  readonly isError: boolean;
}

/** Calls a tool over an open connection. @throws McpServerError, without secrets; the signal's reason */
export async function callMcpTool(connection: McpConnection, call: McpCall): Promise<McpResult> {
  const result = await connection.callTool(call).catch((error: unknown) => {
    call.signal.throwIfAborted();
    throw explained(error, connection.secrets());
  });
  // The tokens may be others than before the call.
  const secrets = connection.secrets();
  const content = readContent(result).map((part): McpContent =>
    "text" in part ? { text: storableText(withoutSecrets(part.text, secrets)) } : part,
  );
  return { content, isError: result.isError };
}

/** Explains an error of a server to a person or a model, without secrets; any other stays as it is, which has none. */
export function explained(error: unknown, secrets: Headers): unknown {
  if (!(error instanceof McpServerError) || error instanceof McpAccountError) return error;
  const { message, isLostSession } = error;
  return new McpServerError(storableText(withoutSecrets(message, secrets)), { cause: error, isLostSession });
}
