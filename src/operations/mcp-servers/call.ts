import { storableText } from "#domain/storable.ts";
import type { McpCall, McpConnection } from "#protocols/mcp/connect.ts";
import { McpServerError } from "#protocols/mcp/mcp-server-error.ts";
import { readContent } from "#protocols/mcp/read-content.ts";
import type { McpContent } from "#protocols/mcp/read-content.ts";
import { withoutSecrets } from "../tools/stored-headers.ts";
import type { Headers } from "../tools/stored-headers.ts";

/** The result of a tool. The values of the server's headers are redacted. */
export interface McpResult {
  readonly content: readonly McpContent[];
  /** True if the tool reports a failure. */
  readonly isError: boolean;
}

/** Calls a tool over an open connection. @throws McpServerError; the signal's reason */
export async function callMcpTool(connection: McpConnection, headers: Headers, call: McpCall): Promise<McpResult> {
  const result = await connection.callTool(call);
  const content = readContent(result).map((part): McpContent =>
    "text" in part ? { text: storableText(withoutSecrets(part.text, headers)) } : part,
  );
  return { content, isError: result.isError };
}

/** Explains to a person or a model why a call failed; the values of the server's headers are redacted. */
export function callError(error: unknown, headers: Headers): McpServerError {
  const message = error instanceof Error ? error.message : String(error);
  return new McpServerError(storableText(withoutSecrets(message, headers)), { cause: error });
}
