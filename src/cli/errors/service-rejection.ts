import { describeIssue } from "#domain/errors.ts";
import type { FieldIssue } from "#domain/errors.ts";

/** The facts of a rejection. */
export interface ServiceRejection {
  /** HTTP status. */
  readonly status: number;
  /** The service's message. */
  readonly message: string;
  readonly details: readonly FieldIssue[];
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The URL of the request. */
  readonly url: string;
}

/** Matches the service's message for a path of its API below another path. */
const NOT_OUR_PATH = /^Not found: \/.+\/(functions\/v1|console\/api|files|auth|version)(?:\/|$)/;

/** Matches the message of a stream for a key that it does not know. This program always sends one. */
const NO_KEY = /^Unauthorized — provide Bearer token/;
const KEY_ENDED = "The API key is not valid: it is unknown, revoked or expired, or its workspace was deleted.";

/** Returns lines that say why the service rejected a request, and what to do. */
export function rejectionMessage(rejection: ServiceRejection): string {
  const { details } = rejection;
  const heading = headingOf(rejection);
  const issues = details.filter((issue) => !heading.includes(issue.message));
  const lines = issues.map((issue) => `  ${describeIssue({ ...issue, path: issue.path || "(body)" })}`);
  return [heading, ...lines, ...advice(rejection)].join("\n");
}

/** The service's message lists every issue; several issues get a line each instead. */
function headingOf({ message, details }: ServiceRejection): string {
  if (NO_KEY.test(message)) return KEY_ENDED;
  const [first, second] = details;
  if (first === undefined || second === undefined) return message;
  const start = message.indexOf(describeIssue(first));
  return start > 0 ? message.slice(0, start).trimEnd() : message;
}

function advice({ status, message, requestId, retryAfterMs, url }: ServiceRejection): readonly string[] {
  if (status === 401) return ['Run "muster login", or set MUSTER_API_KEY to a key of this service.'];
  if (status === 403 && message.includes("scope")) return ["Use a key with the scope that this needs."];
  if (status === 429 && retryAfterMs !== undefined && !message.includes("Try again in"))
    return [`Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`];
  if (NOT_OUR_PATH.test(message)) return [`Use the URL of the service without a path: ${new URL(url).origin}`];
  if (status >= 500 && requestId !== undefined) return [`See the server log (${requestId}).`];
  return [];
}
