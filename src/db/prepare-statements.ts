import { createHash } from "node:crypto";
import type { Pool } from "pg";

/** Texts that are prepared; what a library builds anew for each call must not fill the server's memory. */
const MAX_STATEMENTS = 200;
/** A limit that is written into the text would make it another text each time. */
const WRITTEN_LIMIT = /\blimit (\d+)\s+for update/i;

/**
 * Makes a pool whose statements come from a library prepare each of them once per connection:
 * PostgreSQL then parses and plans it once instead of every time, which for short statements is
 * most of their cost.
 */
export function prepareStatements(pool: Pool): void {
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MAX_STATEMENTS) return undefined;
    const name = createHash("sha1").update(text).digest("hex");
    names.set(text, name);
    return name;
  }

  pool.on("connect", (client) => {
    const query = client.query;
    Object.defineProperty(client, "query", {
      value(config: unknown, values: unknown, ...rest: readonly unknown[]): unknown {
        if (typeof config !== "string" || !Array.isArray(values)) {
          return Reflect.apply(query, client, [config, values, ...rest]);
        }
        const statement = withLimitAsValue(config, values);
        const name = nameOf(statement.text);
        return Reflect.apply(query, client, [name === undefined ? statement : { ...statement, name }, ...rest]);
      },
    });
  });
}

function withLimitAsValue(text: string, values: readonly unknown[]) {
  const [, limit] = WRITTEN_LIMIT.exec(text) ?? [];
  if (limit === undefined) return { text, values };
  const parameter = `limit $${values.length + 1}::bigint for update`;
  return { text: text.replace(WRITTEN_LIMIT, parameter), values: [...values, Number(limit)] };
}
