import { createHash } from "node:crypto";
import type { Pool } from "pg";

/** Texts that are prepared; what a library builds anew for each call must not fill the server's memory. */
const MAX_STATEMENTS = 200;
/** A limit that is written into the text makes it another text each time. */
const VARYING = /\blimit \d+/i;

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
    if (names.size >= MAX_STATEMENTS || VARYING.test(text)) return undefined;
    const name = createHash("sha1").update(text).digest("hex");
    names.set(text, name);
    return name;
  }

  pool.on("connect", (client) => {
    const query = client.query;
    Object.defineProperty(client, "query", {
      value(config: unknown, values: unknown, ...rest: readonly unknown[]): unknown {
        const name = typeof config === "string" && Array.isArray(values) ? nameOf(config) : undefined;
        const args = name === undefined ? [config, values, ...rest] : [{ name, text: config, values }, ...rest];
        return Reflect.apply(query, client, args);
      },
    });
  });
}
