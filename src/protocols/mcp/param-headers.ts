import { isRecord } from "#lib/is-record.ts";

/** The keyword by which a tool's schema names the header of a parameter (MCP 2026-07-28, streamable HTTP). */
const KEYWORD = "x-mcp-header";
const PREFIX = "Mcp-Param-";
/** The characters of a header's name: https://www.rfc-editor.org/rfc/rfc9110#name-tokens. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords that hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);
const PLAIN = /^[\x20-\x7e\t]+$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** A parameter that a call also sends as a header. */
export interface HeaderParam {
  readonly path: readonly string[];
  readonly header: string;
}

/** The parameters of a tool that a call also sends as headers, or why the tool must not be called. */
export type HeaderParams = { readonly params: readonly HeaderParam[] } | { readonly issue: string };

/** Reads which parameters of a tool are sent as headers. A tool with a broken annotation must not be called. */
export function readHeaderParams(inputSchema: Readonly<Record<string, unknown>>): HeaderParams {
  const params: HeaderParam[] = [];
  const issue = findIssue(inputSchema, { path: [], isParameter: true, params });
  return issue === undefined ? { params } : { issue };
}

interface Place {
  readonly path: readonly string[];
  /** Whether only `properties` lead to it: the value of another place is not known before the call. */
  readonly isParameter: boolean;
  /** Receives what is found. */
  readonly params: HeaderParam[];
}

function findIssue(schema: unknown, place: Place): string | undefined {
  if (Array.isArray(schema)) return firstOf(schema, (each) => findIssue(each, { ...place, isParameter: false }));
  if (!isRecord(schema)) return undefined;
  const own = KEYWORD in schema ? addParam(schema, place) : undefined;
  return (
    own ??
    firstOf(Object.entries(schema), ([key, inner]) => {
      if (key !== "properties" || !isRecord(inner)) {
        return VALUES.has(key) ? undefined : findIssue(inner, { ...place, isParameter: false });
      }
      return firstOf(Object.entries(inner), ([name, each]) =>
        findIssue(each, { ...place, path: [...place.path, name] }),
      );
    })
  );
}

function addParam(schema: Readonly<Record<string, unknown>>, { path, isParameter, params }: Place): string | undefined {
  const header = schema[KEYWORD];
  const at = `${KEYWORD} of ${path.join(".") || "the whole input"}`;
  if (!isParameter || path.length === 0) return `${at} is not at a parameter of its own.`;
  if (typeof header !== "string" || !TOKEN.test(header)) return `${at} is not the name of an HTTP header.`;
  if (!TYPES.has(schema["type"])) return `${at} is at a parameter that is no string, integer or boolean.`;
  const name = header.toLowerCase();
  if (params.some((other) => other.header.toLowerCase() === name)) return `${at} is the header of two parameters.`;
  params.push({ path, header });
  return undefined;
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the headers of a call: its arguments that the tool's schema annotates. */
export function paramHeaders(
  inputSchema: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const found = readHeaderParams(inputSchema);
  if ("issue" in found) return {};
  return Object.fromEntries(
    found.params.flatMap(({ path, header }) => {
      const value = path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), args);
      const text = textOf(value);
      return text === undefined ? [] : [[PREFIX + header, encoded(text)]];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "boolean" || Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A value that HTTP would change, or not send, is sent in base64. */
function encoded(text: string): string {
  if (PLAIN.test(text) && text === text.trim() && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
