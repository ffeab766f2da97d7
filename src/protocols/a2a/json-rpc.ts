import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { MAX_MESSAGE_VALUES, findOversize, findUnstorable } from "#domain/storable.ts";
import { withoutProtoNames } from "./proto-names.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";

/** The error codes of JSON-RPC 2.0 and of A2A (https://a2a-protocol.org/latest/specification/#54-error-code-mappings). */
export const RPC_CODE = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  unsupportedOperation: -32004,
  contentTypeNotSupported: -32005,
  versionNotSupported: -32009,
} as const;

/** The name of an error. */
export type RpcErrorName = keyof typeof RPC_CODE;

/** The reasons that A2A 1.0 gives its own errors. */
const REASON: Partial<Readonly<Record<RpcErrorName, string>>> = {
  taskNotFound: "TASK_NOT_FOUND",
  taskNotCancelable: "TASK_NOT_CANCELABLE",
  unsupportedOperation: "UNSUPPORTED_OPERATION",
  contentTypeNotSupported: "CONTENT_TYPE_NOT_SUPPORTED",
  versionNotSupported: "VERSION_NOT_SUPPORTED",
};

/** A JSON-RPC error response; the message is safe to show. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly kind: RpcErrorName;

  constructor(kind: RpcErrorName, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
  }
}

const requestId = z.union([z.string(), z.number(), z.null()]);
/** The id of a request. */
export type RequestId = z.output<typeof requestId>;

/** The id of a request whose other fields may be invalid. */
const identified = z.looseObject({ id: requestId });

const request = z.object({
  jsonrpc: z.literal("2.0", 'must be "2.0"'),
  // Not a notification: the response to a request without an id has the id null.
  id: requestId.default(null),
  method: z.string("must be the name of a method"),
  params: z.record(z.string(), z.unknown(), "must be an object").nullish(),
});

/** A request with a valid envelope. */
export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An invalid body, with the id for its error response. */
export interface MalformedRequest {
  readonly id: RequestId;
  readonly error: RpcError;
}

/** Parses the body of a request: one JSON-RPC call, not a batch. */
export function parseRpcRequest(text: string): RpcRequest | MalformedRequest {
  const oversize = findOversize(text, MAX_MESSAGE_VALUES);
  if (oversize !== undefined)
    return { id: null, error: new RpcError("invalidRequest", `The body ${oversize.message}.`) };
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { id: null, error: new RpcError("parse", `The body must be JSON: ${error.message}.`) };
  }
  if (Array.isArray(body)) {
    return { id: null, error: new RpcError("invalidRequest", "Batches are not supported: send one request.") };
  }
  const parsed = request.safeParse(body, { error: plainMessage });
  const id = identified.safeParse(body).data?.id ?? null;
  if (!parsed.success) return { id, error: malformed(parsed.error) };
  const issue = findUnstorable(body);
  if (issue !== undefined) {
    return { id, error: new RpcError("invalidParams", `Invalid request: ${issue.path}: ${issue.message}`) };
  }
  return { id, method: parsed.data.method, params: withoutProtoNames(parsed.data.params ?? {}) };
}

/** Parameters that are not an object are invalid parameters; any other issue makes the request invalid. */
function malformed(error: z.ZodError): RpcError {
  const isAboutParams = error.issues.every(({ path }) => path[0] === "params");
  const text = issuesOf(error)
    .map(({ path, message }) => `${path || "body"}: ${message}`)
    .join("; ");
  return isAboutParams
    ? new RpcError("invalidParams", `Invalid params: ${text}`)
    : new RpcError("invalidRequest", `Invalid JSON-RPC 2.0 request: ${text}`);
}

/** Returns the body of a result. */
export function resultBody(id: RequestId, result: unknown) {
  return { jsonrpc: "2.0", id, result };
}

/** Returns the body of an error. */
export function errorBody(id: RequestId, { kind, message }: RpcError) {
  const data = errorInfoOf({ kind });
  return { jsonrpc: "2.0", id, error: { code: RPC_CODE[kind], message, ...(data.length > 0 && { data }) } };
}

/** Returns the details by which programs tell A2A's own errors apart. */
export function errorInfoOf({ kind }: Pick<RpcError, "kind">): readonly object[] {
  const reason = REASON[kind];
  if (reason === undefined) return [];
  return [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" }];
}

/** Maps an operation's error to JSON-RPC. Authentication and authorization errors have an HTTP status instead. */
export function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof AppError)) return new RpcError("internal", "Internal error.", { cause: error });
  const { message, cause } = error;
  switch (error.code) {
    case "not_found":
      return new RpcError("taskNotFound", message, { cause });
    case "conflict":
      return new RpcError("unsupportedOperation", message, { cause });
    case "payload_too_large":
    case "method_not_allowed":
      return new RpcError("invalidRequest", message, { cause });
    case "unsupported_media_type":
      return new RpcError("contentTypeNotSupported", message, { cause });
    case "internal_error":
    case "unavailable":
    case "storage_full":
      return new RpcError("internal", message, { cause });
    case "unauthorized":
    case "forbidden":
    case "quota_exceeded":
    case "rate_limit_exceeded":
      return new RpcError("refused", message, { cause });
    default:
      return new RpcError("invalidParams", message, { cause });
  }
}
