import { describeIssue } from "#domain/errors.ts";
import type { FieldIssue } from "#domain/errors.ts";

/** What is known of a rejection. */
export interface ServiceRejection {
  /** HTTP status. */
  readonly status: number;
  /** The service's own sentence. */
  readonly message: string;
  readonly details: readonly FieldIssue[];
  /** Finds the request in the service's log. */
  readonly requestId: string | null;
  /** Seconds. */
  readonly retryAfter: string | null;
}

/** Whether the same request may succeed a little later: too many requests, or a service that is starting or ailing. */
export function isTransient(status: number): boolean {
  return status === 429 || status >= 500;
}

/** The lines that tell a user why the service said no, and what to do about it. */
export function rejectionMessage(refusal: ServiceRejection): string {
  const { details } = refusal;
  const heading = headingOf(refusal);
  const faults = details.filter((fault) => !heading.includes(fault.message));
  const lines = faults.map((fault) => `  ${describeIssue({ ...fault, path: fault.path || "(body)" })}`);
  return [heading, ...lines, ...advice(refusal)].join("\n");
}

/** The service's sentence names every fault; where there are several, each gets a line of its own instead. */
function headingOf({ message, details }: ServiceRejection): string {
  const [first, second] = details;
  if (first === undefined || second === undefined) return message;
  const start = message.indexOf(describeIssue(first));
  return start > 0 ? message.slice(0, start).trimEnd() : message;
}

function advice({ status, requestId, retryAfter }: ServiceRejection): readonly string[] {
  if (status === 401) return ['Run "muster login", or set MUSTER_API_KEY to a key of this service.'];
  if (status === 403) return ["Use a key with the scope that this needs."];
  if (status === 429 && retryAfter !== null) return [`Try again in ${retryAfter} s.`];
  if (status >= 500 && requestId !== null) return [`See the server log (${requestId}).`];
  return [];
}
