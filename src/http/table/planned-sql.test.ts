import fc from "fast-check";
import { expect, test } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { TableError } from "./errors.ts";
import { parseQuery } from "./parse/query.ts";
import { planList } from "./plan/read.ts";
import { countSql, idsSql, readSql } from "./sql/read.ts";
import { FOREIGN_KEYS } from "./foreign-keys.ts";
import { TABLES, findTable } from "./tables.ts";

const REACH = { workspaceId: "01940000-0000-7000-8000-000000000000", maxRows: 10 };

/** All allowed tokens of a statement: our SQL keywords, names, types and operators. */
const WORDS = new Set(
  `with as select from where and or not is null true false unknown any all in like ilike limit offset order by asc desc
   nulls first last left join lateral on case when then end json to_jsonb regexp_replace jsonb text uuid integer bigint numeric
   boolean date timestamptz double precision regconfig distinct json_build_object json_agg json_strip_nulls
   string_agg replace repeat substring length chr octet_length coalesce count array_position to_tsvector to_tsquery plainto_tsquery
   phraseto_tsquery websearch_to_tsquery table_api listed_agents page answer body total value found x t j id for workspace_id`
    .split(/\s+/)
    .concat(
      [...TABLES.keys()],
      [...TABLES.values()].flatMap(({ columns }) => [...columns.keys()]),
    ),
);
const TOKEN = /\$\d+|'\[\]'|''|[a-z_][a-z_0-9]*|\d+|::|->>|->|<>|<=|>=|@>|<@|&&|@@|~\*|[=<>~()[\],.*\s-]/y;

/** Returns the tokens of a statement that are not allowed. */
function disallowedTokens(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return [...found, text.slice(at, at + 40)];
    const word = /^[a-z_]/.test(token) && !WORDS.has(token) && !/^[cer]\d+$/.test(token);
    // The allowed numbers: of limit 1, of count(*) > 0 and of the CSV lines.
    if (word || (/^\d+$/.test(token) && !["0", "1", "2", "10", "92"].includes(token))) found.push(token);
  }
  return found;
}

/** Returns the statements of a query; undefined when it is rejected as invalid. */
function statements(table: string, search: URLSearchParams) {
  try {
    const plan = planList(findTable(table), parseQuery(search));
    const form = "json" as const;
    return [
      readSql(plan, { ...REACH, form, escapesFormulas: false, withTotal: true, maxBytes: 1 }),
      readSql(plan, {
        ...REACH,
        form: "csv",
        escapesFormulas: true,
        withTotal: false,
        maxBytes: 1,
        ids: [REACH.workspaceId],
      }),
      countSql(plan, { ...REACH, stopAt: 5 }),
      idsSql(plan, REACH),
    ];
  } catch (error) {
    if (!(error instanceof TableError) || error.status >= 500) throw error;
    return undefined;
  }
}

function checkAll(table: string, search: URLSearchParams): boolean {
  const built = statements(table, search);
  for (const { text, values } of built ?? []) {
    expect(disallowedTokens(text)).toEqual([]);
    const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n));
    expect(new Set(numbers)).toEqual(new Set(values.map((_, index) => index + 1)));
  }
  return built !== undefined;
}

const columns = [...TABLES.values()].flatMap((table) => [...table.columns.keys()]);
const HOSTILE = [
  "'",
  '"',
  ";",
  "--",
  "/*",
  "*/",
  "\\",
  "$1",
  "$$",
  ")",
  "(",
  ",",
  ".",
  "::",
  "->",
  "->>",
  " or 1=1",
  "drop table agents",
  "\u0000",
  "${",
  "%",
  "*",
  "!",
  "{",
  "}",
  "é",
  "日",
];
const piece = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.constantFrom(...columns, ...TABLES.keys(), ...FOREIGN_KEYS.map(({ name }) => name)),
  fc.constantFrom(
    "eq",
    "not.",
    "in.(",
    "is.null",
    "cs.{",
    "fts(english).",
    "or(",
    "and(",
    "any",
    "nullslast",
    "count()",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const key = fc.oneof(
  fc.constantFrom(
    "select",
    "order",
    "or",
    "and",
    "not.or",
    "limit",
    "offset",
    "columns",
    "on_conflict",
    "agents.order",
    "tasks.or",
  ),
  fc.constantFrom(...columns),
  text,
);

verifies(
  "table-api.no-unplanned-sql",
  "hostile texts anywhere are rejected or become values",
  () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TABLES.keys()),
        fc.array(fc.tuple(key, text), { maxLength: 5 }),
        (table, parameters) => void checkAll(table, new URLSearchParams(parameters)),
      ),
      { numRuns: 3_000 },
    );
  },
  { tags: "slow" },
);

const column = fc.constantFrom(
  "title",
  "metadata",
  "created_at",
  "agent_id",
  "attempt",
  "metadata->>k",
  "metadata->a->0",
);
const value = fc.string({ unit: "grapheme", maxLength: 12 }).filter((each) => !each.includes("\0"));
const quoted = value.map((each) => `"${each.replaceAll(/["\\]/g, (c) => `\\${c}`)}"`);
const test_ = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("eq", "neq", "gt", "lte", "like", "imatch", "cs", "ov", "wfts", "fts(german)", "gt(any)"),
      quoted,
    )
    .map(([op, v]) => `${op}.${v}`),
  fc.array(quoted, { maxLength: 3 }).map((list) => `in.(${list.join(",")})`),
  fc.constantFrom("is.null", "is.not_null", "is.true"),
);
const condition: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(column, fc.constantFrom("", "not."), test_).map(([c, not, t]) => `${c}.${not}${t}`),
    fc
      .tuple(fc.constantFrom("and", "or", "not.and", "not.or"), fc.array(tie("tree"), { minLength: 1, maxLength: 3 }))
      .map(([kind, parts]) => `${kind}(${parts.join(",")})`),
  ),
})).tree;

verifies("table-api.no-unplanned-sql", "a valid query is accepted, with its values as parameters", () => {
  fc.assert(
    fc.property(
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      fc.subarray(
        [
          "title",
          "label:status",
          "metadata->>@k",
          "worker:agents!inner(name,tags->0,teams(name))",
          "usage_records(*,agents(teams(name)))",
          "attempt::text",
        ],
        { minLength: 1 },
      ),
      (conditions, items) => {
        const search = new URLSearchParams({ select: items.join(","), or: `(${conditions.join(",")})` });
        expect(checkAll("tasks", search)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test("a quoted value is parsed unchanged", () => {
  fc.assert(
    fc.property(value, quoted, (plain, other) => {
      const inList = `"${plain.replaceAll(/["\\]/g, (c) => `\\${c}`)}"`;
      const { root } = parseQuery(
        new URLSearchParams({ title: `eq.${plain}`, or: `(title.eq.${inList},title.in.(${other},${inList}))` }),
      );
      expect(root.where[0]).toMatchObject({ test: { op: "eq", value: plain } });
      expect(root.where[1]).toMatchObject({
        parts: [{ test: { value: plain } }, { test: { op: "in", values: [expect.anything(), plain] } }],
      });
    }),
  );
});

test("aliases that callers choose are values, not names", () => {
  const [read] = statements("agents", new URLSearchParams({ select: `"it's; drop":name` })) ?? [];
  expect(read?.text).not.toContain("drop");
  expect(read?.values).toContain("it's; drop");
});
