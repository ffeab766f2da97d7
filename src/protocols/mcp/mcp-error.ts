import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { UnsafeUrlError } from "#lib/safe-fetch/check-url.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import { McpServerError } from "./mcp-server-error.ts";

const MAX_MESSAGE = 500;
const NOT_MCP = "The server's response is not a valid MCP message: check the URL.";
/** The issues of a result, which the SDK appends to its message as JSON. */
const ISSUES = /\[\n[^]*$/u;
const issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }));
/** Statuses of servers for an unknown session, such as one from before their restart. */
const LOST_SESSION: ReadonlySet<number> = new Set([400, 404]);
/** The JSON-RPC errors by which other servers say so with status 200, and what their messages contain. */
const LOST_SESSION_CODES: ReadonlySet<number> = new Set([-32000, -32001]);
const ABOUT_SESSION = /\bsession\b|not initiali[sz]ed/i;

/** Explains why a request to an MCP server failed. */
export function toMcpError(error: unknown): McpServerError {
  if (error instanceof McpServerError) return error;
  const message = explain(error).slice(0, MAX_MESSAGE).toWellFormed();
  return new McpServerError(message, { cause: error, isLostSession: isLostSession(error) });
}

/** Whether a server has no streamable HTTP at its URL, but may support SSE. */
export function maySupportSse(error: unknown): boolean {
  return SdkHttpError.isInstance(error) && [400, 404, 405].includes(error.status);
}

function isLostSession(error: unknown): boolean {
  if (SdkHttpError.isInstance(error)) return LOST_SESSION.has(error.status);
  return ProtocolError.isInstance(error) && LOST_SESSION_CODES.has(error.code) && ABOUT_SESSION.test(error.message);
}

function explain(error: unknown): string {
  const guarded = guardedCause(error);
  if (guarded !== undefined) return guarded.message;
  if (SdkHttpError.isInstance(error)) return explainStatus(error);
  if (SseError.isInstance(error)) return `The server's event stream failed: ${error.message}`;
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
    return "The server did not respond in time.";
  }
  // The messages of these are a parser's output.
  if (error instanceof z.ZodError || error instanceof SyntaxError) return NOT_MCP;
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return `${NOT_MCP} ${error.message}.`;
  }
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.InvalidResult) {
    return error.message.replace(ISSUES, (json) => explainIssues(json));
  }
  if (ProtocolError.isInstance(error)) return `The server rejected the request: ${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
}

/** Returns issues in one line; other text, which a server can bring about, unchanged. */
function explainIssues(text: string): string {
  const { data } = issues.safeParse(jsonOf(text));
  return data?.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") ?? text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explainStatus({ status, message }: SdkHttpError): string {
  if (status === 401) return "The server rejected the credentials (HTTP 401): check its headers.";
  if (status === 403) return "The server denied access (HTTP 403).";
  return `The server responded with HTTP ${status}: ${message}`;
}

/** The SDK wraps errors of the fetch, often more than once. */
function guardedCause(error: unknown): FetchFailedError | UnsafeUrlError | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof FetchFailedError || inner instanceof UnsafeUrlError) return inner;
    inner = inner.cause ?? dataCause(inner);
  }
  return undefined;
}

function dataCause(error: Error): unknown {
  if (!SdkError.isInstance(error) || typeof error.data !== "object" || error.data === null) return undefined;
  return "cause" in error.data ? error.data.cause : undefined;
}
