/** One field that the server rejects: `tools.0`, or empty for the whole body. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** What the server answered instead of data. Its message is meant for people and shown as it is. */
export class Problem extends Error {
  /** 0 when no answer came: offline, or the service is down. */
  readonly status: number;
  readonly code: string;
  readonly details: readonly FieldIssue[];
  readonly requestId: string | undefined;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(of: Pick<Problem, "status" | "code" | "message"> & Partial<Problem>) {
    super(of.message);
    this.name = "Problem";
    this.status = of.status;
    this.code = of.code;
    this.details = of.details ?? [];
    this.requestId = of.requestId;
    this.retryAfterMs = of.retryAfterMs;
  }
}

/** Reads an answer that is no success. Never throws: a body in another form gives a sentence about the status. */
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = fieldOf(body, "error");
  const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  return new Problem({
    status: response.status,
    code: textOf(fieldOf(error, "code")) ?? "error",
    message: textOf(error) ?? textOf(fieldOf(error, "message")) ?? `The service answered with ${response.status}.`,
    details: issuesOf(fieldOf(error, "details")),
    requestId: response.headers.get("X-Request-Id") ?? undefined,
    retryAfterMs: Number.isNaN(seconds) ? undefined : seconds * 1_000,
  });
}

/** Any error as a problem: what fetch throws means that no answer came. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError) {
    return new Problem({ status: 0, code: "offline", message: "The service can't be reached. Nothing was lost." });
  }
  return new Problem({ status: 0, code: "error", message: error instanceof Error ? error.message : String(error) });
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function issuesOf(value: unknown): readonly FieldIssue[] {
  if (!Array.isArray(value)) return [];
  return value.map((each: unknown) => ({
    path: textOf(fieldOf(each, "path")) ?? "",
    message: textOf(fieldOf(each, "message")) ?? "",
  }));
}
