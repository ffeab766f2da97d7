import { expectTypeOf } from "vitest";
import { verifies } from "../../test/support/verifies.ts";
import type { Transaction } from "./database.ts";
import type { Computed, Json } from "./row-types.ts";
import { Statement } from "./statement.ts";
import type { StatementOf } from "./statement.ts";

// These tests are the compiler's: `npm run check` fails when one of them is not true.

/** What is said of one column, and whether it may be read as `Value`. */
type Cell<Description> = Statement<{ readonly column: Description }>;
type Read<Value> = StatementOf<{ readonly column: Value }>;

verifies("workshop.row-types", "a plain column is read with its own type and nullability, or a wider one", () => {
  expectTypeOf<Cell<string>>().toExtend<Read<string>>();
  expectTypeOf<Cell<string>>().toExtend<Read<string | null>>();
  expectTypeOf<Cell<"on" | "off">>().toExtend<Read<"on" | "off" | "other">>();
  expectTypeOf<Cell<string[]>>().toExtend<Read<readonly string[]>>();
  expectTypeOf<Cell<Date>>().toExtend<Read<unknown>>();
  expectTypeOf<Cell<string | null>>().not.toExtend<Read<string>>();
  expectTypeOf<Cell<string>>().not.toExtend<Read<number>>();
  expectTypeOf<Cell<string>>().not.toExtend<Read<"on" | "off">>();
  expectTypeOf<Cell<"on" | "off">>().not.toExtend<Read<"on">>();
  expectTypeOf<Cell<string>>().not.toExtend<Read<{ readonly a: string }>>();
});

verifies("workshop.row-types", "of an expression only the type is checked, of JSON only whether it can be null", () => {
  expectTypeOf<Cell<Computed<string>>>().toExtend<Read<string>>();
  expectTypeOf<Cell<Computed<string>>>().toExtend<Read<"on" | null>>();
  expectTypeOf<Cell<Computed<string[]>>>().toExtend<Read<readonly "on"[]>>();
  expectTypeOf<Cell<Computed<number>>>().not.toExtend<Read<string>>();
  expectTypeOf<Cell<Computed<string>>>().not.toExtend<Read<{ readonly a: string } | null>>();
  expectTypeOf<Cell<Json>>().toExtend<Read<{ readonly a: string }>>();
  expectTypeOf<Cell<Computed<Json>>>().toExtend<Read<readonly { readonly a: string }[]>>();
  expectTypeOf<Cell<Json | null>>().toExtend<Read<{ readonly a: string } | null>>();
  expectTypeOf<Cell<Json | null>>().not.toExtend<Read<{ readonly a: string }>>();
});

verifies("workshop.row-types", "a query that reads another column, type or nullability does not compile", async () => {
  const tx: Pick<Transaction, "query"> = { query: () => Promise.resolve([]) };
  const models = new Statement<{ model: string; version: number | null }>({ name: "test-models", text: "" });
  await tx.query<{ model: string }>(models);
  await tx.query<{ model: string; version: number | null }>(models);
  // @ts-expect-error the column has another name
  await tx.query<{ modle: string }>(models);
  // @ts-expect-error the column has another type
  await tx.query<{ model: number }>(models);
  // @ts-expect-error the column can be null
  await tx.query<{ version: number }>(models);
  // @ts-expect-error what was not made by a declaration says nothing of its rows
  await tx.query<{ model: string }>({ name: "test-models", text: "" });
});
