import { customToolContext } from "#domain/tools/custom-tool.ts";
import type { CustomTool } from "#domain/tools/custom-tool.ts";
import { storableText } from "#domain/storable.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { Database } from "#db/database.ts";
import { recordCustomToolCall } from "#db/queries/tools/custom-tool-calls.ts";
import type { CustomToolRow } from "#db/queries/tools/custom-tools.ts";
import { bodyText } from "#lib/http/body-text.ts";
import { newId } from "#lib/ids.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { openHeaders, withoutSecrets } from "../stored-headers.ts";
import { requestFor } from "./request.ts";
import type { Arguments } from "./request.ts";

const MAX_BYTES = 2 * 1024 * 1024;
/** The maximum length of an error response's body in messages. */
const MAX_REFUSAL = 2_000;
const MAX_ERROR = 500;

/** The services that calls need. */
export interface CallServices {
  readonly db: Database;
  readonly secrets: SecretBox;
  readonly fetch: SafeFetch;
}

/** The call to make. */
export interface CallRequest {
  readonly tool: CustomToolRow;
  /** They match the tool's schema. */
  readonly args: Arguments;
  /** The task or team run that makes the call; null for a person's test. */
  readonly subjectId: string | null;
  /** The same when the call is repeated after a crash. */
  readonly idempotencyKey: string;
  /** The position of the call in a trace. */
  readonly traceparent?: string | undefined;
  readonly signal: AbortSignal;
}

/** The outcome of a call. */
export interface CallOutcome {
  /** The HTTP status; null without a response. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** The body of the response; null when the call failed. */
  readonly output: string | null;
  /** Why it failed; null on success. */
  readonly error: string | null;
}

/**
 * Calls a custom tool and logs the call. Header values are redacted in the outcome, even when the endpoint returns
 * them.
 * @throws the signal's reason; such a call is logged as well.
 */
export async function callCustomTool(services: CallServices, tenant: Tenant, call: CallRequest): Promise<CallOutcome> {
  const begun = performance.now();
  const headers = openHeaders(services.secrets, customToolContext(tenant.workspaceId, call.tool.id), call.tool);
  const end = await answerOf(services.fetch, { ...call.tool, headers }, call);
  const clean = (text: string | null) => text && storableText(withoutSecrets(text, headers));
  const outcome = {
    httpStatus: end.httpStatus,
    durationMs: Math.round(performance.now() - begun),
    output: clean(end.output),
    error: clean(end.error),
  };
  await recordCustomToolCall(services.db.inWorkspace(tenant), {
    id: newId(),
    toolId: call.tool.id,
    subjectId: call.subjectId,
    httpStatus: outcome.httpStatus,
    durationMs: outcome.durationMs,
    error: outcome.error && outcome.error.slice(0, MAX_ERROR).toWellFormed(),
  });
  call.signal.throwIfAborted();
  return outcome;
}

type Ended = Omit<CallOutcome, "durationMs">;

async function answerOf(fetch: SafeFetch, tool: CustomTool, call: CallRequest): Promise<Ended> {
  try {
    const { url, ...request } = requestFor(tool, call.args, call);
    const bounds = { timeoutMs: tool.timeout_ms, maxBytes: MAX_BYTES, signal: call.signal };
    const response = await fetchWhole(fetch, url, { ...request, ...bounds });
    const { status: httpStatus, ok } = response;
    const text = bodyText(response);
    if (ok) return { httpStatus, output: text, error: null };
    const said = text.slice(0, MAX_REFUSAL).toWellFormed();
    return { httpStatus, output: null, error: `HTTP ${httpStatus}${said === "" ? "" : `: ${said}`}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { httpStatus: null, output: null, error: call.signal.aborted ? "The call was aborted." : reason };
  }
}
