import { isRecord } from "#lib/is-record.ts";

const SNAKE_CASE = /^[a-z0-9]+(?:_[a-z0-9]+)+$/;
/** Fields whose content is the client's own. */
const FREE_FORM: ReadonlySet<string> = new Set(["data", "metadata"]);

/**
 * Returns params with the JSON names of their fields. The JSON of protocol buffers may also have the names of the
 * definition, such as `task_id` (https://protobuf.dev/programming-guides/json/). A field that has both keeps the former.
 */
export function withoutProtoNames(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // The entries of an object with very many fields cost three times as much.
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(params)) {
    const to = SNAKE_CASE.test(name) ? jsonName(name) : name;
    if (to !== name && Object.hasOwn(params, to)) continue;
    result[to] = FREE_FORM.has(name) ? params[name] : renamed(params[name]);
  }
  return result;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  return isRecord(value) ? withoutProtoNames(value) : value;
}

function jsonName(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
