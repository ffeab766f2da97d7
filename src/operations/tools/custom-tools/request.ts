import { fillPlaceholders, placeholdersOf } from "#domain/tools/custom-tool.ts";
import type { CustomTool } from "#domain/tools/custom-tool.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import type { SafeInit } from "#lib/safe-fetch/follow-redirects.ts";

/** The arguments of a call, which match the tool's schema. */
export type Arguments = Readonly<Record<string, unknown>>;

const IN_QUERY: ReadonlySet<string> = new Set(["GET", "DELETE"]);

/** An argument cannot be used at its position in the tool's URL. */
export class InvalidArgumentError extends Error {
  override readonly name = "InvalidArgumentError";
}

/** Builds the request of a call. @throws InvalidArgumentError. */
export function requestFor(
  { url, method, headers }: CustomTool,
  args: Arguments,
  { idempotencyKey, traceparent }: { readonly idempotencyKey: string; readonly traceparent?: string | undefined },
): SafeInit & { readonly url: string } {
  const placed = new Set(placeholdersOf(url));
  const rest = Object.entries(args).filter(([name]) => !placed.has(name));
  const filled = fillPlaceholders(url, (name) => segment(name, args[name]));
  const own = {
    accept: "application/json, text/*;q=0.9, */*;q=0.1",
    "idempotency-key": idempotencyKey,
    ...(traceparent !== undefined && { [TRACEPARENT]: traceparent }),
  };
  if (IN_QUERY.has(method)) return { url: withQuery(filled, rest), method, headers: { ...own, ...lowered(headers) } };
  return {
    url: filled,
    method,
    headers: { ...own, "content-type": "application/json", ...lowered(headers) },
    body: JSON.stringify(Object.fromEntries(rest)),
  };
}

function segment(name: string, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if ((typeof value === "object" && !JSON.isRawJSON(value)) || text === undefined) {
    throw new InvalidArgumentError(`${name} is part of the URL and must be a string, a number or a boolean.`);
  }
  // They would change the path, encoded or not.
  if (text === "" || text === "." || text === "..")
    throw new InvalidArgumentError(`${name} must not be empty, "." or "..".`);
  return encodeURIComponent(text.toWellFormed());
}

function withQuery(text: string, args: readonly (readonly [string, unknown])[]): string {
  const url = new URL(text);
  for (const [name, value] of args) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values) {
      if (each !== null && each !== undefined)
        url.searchParams.append(name, typeof each === "string" ? each : JSON.stringify(each));
    }
  }
  return url.href;
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
