import { beforeAll, expect } from "vitest";
import * as fc from "fast-check";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { V2, apiOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const START = Date.UTC(2026, 0, 1);
const KINDS = ["agents", "tasks"] as const;
type Kind = (typeof KINDS)[number];

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

/** A row of a list: its id, and its time in microseconds after {@link START}. */
interface Row {
  readonly id: string;
  readonly at: number;
}

/** An empty workspace whose rows are put straight into the database. */
async function emptyWorkspace(): Promise<{ api: Api; insert: (kind: Kind, rows: readonly Row[]) => Promise<void> }> {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  const columns = {
    agents: ["name, model, provider", "'Row', 'demo', 'demo'"],
    tasks: ["title, status", "'Row', case when n % 2 = 0 then 'failed' else 'pending' end"],
  } as const;
  return {
    api: apiOf(service, key),
    insert: async (kind, rows) => {
      const [names, values] = columns[kind];
      await sql(
        service.databaseUrl,
        `insert into ${kind} (id, workspace_id, created_at, ${names})
         select r.id, $1, $2::timestamptz + r.at * interval '1 microsecond', ${values}
         from rows from (json_to_recordset($3) as (id uuid, at bigint)) with ordinality as r (id, at, n)`,
        [workspaceId, new Date(START).toISOString(), JSON.stringify(rows)],
      );
    },
  };
}

function rowsAt(times: readonly number[]): Row[] {
  return times.map((at) => ({ id: newId(), at }));
}

function newestFirst(rows: readonly Row[]): string[] {
  return rows.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
}

function iso(at: number): string {
  const whole = new Date(START + Math.floor(at / 1_000)).toISOString().slice(0, 23);
  return `${whole}${String(at % 1_000).padStart(3, "0")}Z`;
}

async function page(api: Api, path: string): Promise<{ ids: string[]; next: string | null; more: unknown }> {
  const answer = await api.get(path, V2);
  const data = fieldsOf({ ...answer, body: fieldsOf(answer)["data"] });
  expect(Object.keys(data)).toEqual(["items", "next_cursor", "has_more"]);
  return {
    ids: idsOf({ ...answer, body: data["items"] }),
    next: z.string().nullable().parse(data["next_cursor"]),
    more: data["has_more"],
  };
}

/** Reads a list to its end; `between` runs before each further page. */
async function readAll(api: Api, path: string, between: () => Promise<void> = async () => {}): Promise<string[]> {
  const all: string[] = [];
  for (let cursor = ""; ;) {
    const { ids, next, more } = await page(api, `${path}${cursor}`);
    all.push(...ids);
    expect(more).toBe(next !== null);
    if (next === null) return all;
    cursor = `&cursor=${encodeURIComponent(next)}`;
    await between();
  }
}

verifies(
  ["pagination.limit.default-50", "pagination.v2.shape", "pagination.v2.last-page", "pagination.v1.bare-array"],
  "a page has 50 items unless limit says otherwise, and the last one ends the list",
  async () => {
    const { api, insert } = await emptyWorkspace();
    for (const kind of KINDS) {
      const path = `/api-${kind}`;
      expect(await page(api, path)).toEqual({ ids: [], next: null, more: false });
      const rows = rowsAt(Array.from({ length: 51 }, (_, i) => i));
      await insert(kind, rows);
      const expected = newestFirst(rows);
      const first = await page(api, path);
      expect(first).toEqual({ ids: expected.slice(0, 50), next: iso(1), more: true });
      expect(idsOf(await api.get(path))).toEqual(expected.slice(0, 50));
      expect(await page(api, `${path}?limit=51`)).toEqual({ ids: expected, next: null, more: false });
      expect(await page(api, `${path}?cursor=${first.next}`)).toEqual({
        ids: expected.slice(50),
        next: null,
        more: false,
      });
    }
  },
);

verifies("pagination.limit.range", "limit is 1 to 200", async () => {
  const { api, insert } = await emptyWorkspace();
  await insert("tasks", rowsAt(Array.from({ length: 201 }, (_, i) => i)));
  expect((await page(api, "/api-tasks?limit=1")).ids).toHaveLength(1);
  expect((await page(api, "/api-tasks?limit=200")).ids).toHaveLength(200);
  for (const path of ["/api-tasks", "/api-agents"]) {
    for (const limit of ["0", "201", "-1", "1.5", "ten", "", "NaN", "1e9", "1e2", "0x10", "%205", "%2B5", "5%20"]) {
      expect(refusal(await api.get(`${path}?limit=${limit}`))).toMatchObject({ status: 400, paths: ["limit"] });
    }
  }
});

verifies("pagination.v1.link-header", "in version 1 the Link header leads from page to page", async () => {
  const { api, insert } = await emptyWorkspace();
  const rows = rowsAt([1, 1, 1, 2, 3]);
  await insert("agents", rows);
  const seen: string[] = [];
  let path = "/api-agents?limit=2";
  for (let pages = 1; ; pages++) {
    const answer = await api.get(path);
    seen.push(...idsOf(answer));
    const link = answer.headers.get("link");
    if (link === null) {
      expect(pages).toBe(3);
      break;
    }
    const [, target = ""] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
    const next = new URL(target, service.url);
    expect(next.pathname).toBe("/functions/v1/api-agents");
    expect(next.searchParams.get("limit")).toBe("2");
    path = `/api-agents${next.search}`;
  }
  expect(seen).toEqual(newestFirst(rows));
});

verifies(
  ["pagination.cursor.format", "pagination.cursor.tie-break", "pagination.cursor.follows"],
  "a cursor is the last row's time, plus its id only where the next row has the same time",
  async () => {
    const { api, insert } = await emptyWorkspace();
    const rows = rowsAt([5, 5, 5, 123_456_789]);
    await insert("tasks", rows);
    const ids = newestFirst(rows);
    const first = await page(api, "/api-tasks?limit=1");
    expect(first.next).toBe("2026-01-01T00:02:03.456789Z");
    const second = await page(api, `/api-tasks?limit=2&cursor=${first.next}`);
    expect(second).toEqual({ ids: ids.slice(1, 3), next: `2026-01-01T00:00:00.000005Z_${ids[2]}`, more: true });
    const third = await page(api, `/api-tasks?limit=2&cursor=${second.next}`);
    expect(third).toEqual({ ids: ids.slice(3), next: null, more: false });
  },
);

const equivalents = [
  "2026-01-01T00:00:02Z",
  "2026-01-01T00:00:02.000Z",
  "2026-01-01T00:00:02.000000Z",
  "2026-01-01T02:00:02+02:00",
  "2026-01-01T02:00:02%2B02:00",
  "2025-12-31T19:00:02-05:00",
  "2026-01-01T00:00:02",
];
const later = ["2026-01-02", "2026-01-01T12:00Z", "9999-12-31T23:59:59Z"];
verifies("pagination.cursor.any-iso-timestamp", "any ISO 8601 time is a cursor: older rows follow", async () => {
  const { api, insert } = await emptyWorkspace();
  const rows = rowsAt([1_000_000, 1_999_999, 2_000_000, 3_000_000]);
  await insert("agents", rows);
  const ids = newestFirst(rows);
  for (const cursor of equivalents) {
    expect([cursor, (await page(api, `/api-agents?cursor=${cursor}`)).ids]).toEqual([cursor, ids.slice(2)]);
  }
  for (const cursor of later) {
    expect([cursor, (await page(api, `/api-agents?cursor=${cursor}`)).ids]).toEqual([cursor, ids]);
  }
});

const malformed = [
  "yesterday",
  "",
  "12345",
  "2026-13-01",
  "2026-02-30T00:00:00Z",
  "0000-01-01",
  "2026-01-01T25:00:00Z",
];
const invalidCursors = ["2026-01-01T00:00:00Z_", "2026-01-01T00:00:00Z_7", `_${newId()}`, `2026-01-01_${newId()}_x`];
for (const cursor of [...malformed, ...invalidCursors]) {
  verifies("pagination.cursor.malformed-400", `the cursor "${cursor}" is rejected`, async () => {
    const { api } = await emptyWorkspace();
    for (const path of ["/api-agents", "/api-tasks"]) {
      expect(refusal(await api.get(`${path}?cursor=${cursor}`))).toMatchObject({
        status: 400,
        paths: ["cursor"],
        message: expect.stringMatching(/^Invalid query: cursor must be /),
      });
    }
  });
}

verifies("pagination.filter.kept", "paging through one status shows its rows only, and all of them", async () => {
  const { api, insert } = await emptyWorkspace();
  const rows = rowsAt([4, 4, 4, 4, 3, 3, 2, 1]);
  await insert("tasks", rows);
  const failed = newestFirst(rows.filter((_, index) => index % 2 === 1));
  expect(await readAll(api, "/api-tasks?status=failed&limit=1")).toEqual(failed);
  const first = await api.get("/api-tasks?status=failed&limit=3");
  expect(first.headers.get("link")).toContain("status=failed");
  expect(listOf(first).every(({ status }) => status === "failed")).toBe(true);
});

verifies(
  ["pagination.cursor.no-loss-no-repeat", "pagination.order.newest-first", "pagination.cursor.follows"],
  "paging shows every row once, newest first, however many share a time",
  async () => {
    const times = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 6 }), fc.constantFrom(...KINDS), async (at, limit, kind) => {
        const { api, insert } = await emptyWorkspace();
        const rows = rowsAt(at);
        await insert(kind, rows);
        expect(await readAll(api, `/api-${kind}?limit=${limit}`)).toEqual(newestFirst(rows));
      }),
      { numRuns: 30 },
    );
  },
);

verifies(
  ["pagination.cursor.stable-under-inserts", "pagination.cursor.no-loss-no-repeat"],
  "new rows during paging never repeat or hide existing rows",
  async () => {
    const some = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 12 });
    const arrivals = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(some, arrivals, fc.integer({ min: 1, max: 4 }), async (at, fresh, limit) => {
        const { api, insert } = await emptyWorkspace();
        const rows = rowsAt(at);
        await insert("tasks", rows);
        const seen = await readAll(api, `/api-tasks?limit=${limit}`, () =>
          insert("tasks", rowsAt(fresh)).then(() => {
            fresh.length = 0;
          }),
        );
        expect(new Set(seen).size).toBe(seen.length);
        const old = new Set(rows.map(({ id }) => id));
        expect(seen.filter((id) => old.has(id))).toEqual(newestFirst(rows));
      }),
      { numRuns: 30 },
    );
  },
);

verifies(
  ["pagination.cursor.stable-under-inserts", "pagination.cursor.no-loss-no-repeat"],
  "clients that create at the same time never make a row repeat, nor hide one that was there",
  async () => {
    const pages = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(
        pages,
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(...KINDS),
        async (limit, clients, kind) => {
          const { api, insert } = await emptyWorkspace();
          const rows = rowsAt([0, 0, 0, 1, 1, 2]);
          await insert(kind, rows);
          const creating = Array.from({ length: clients }, async () => {
            const made = await api.post(
              `/api-${kind}`,
              kind === "tasks" ? { title: "New" } : { name: "New", model: "demo" },
            );
            return String(fieldsOf(made)["id"]);
          });
          const seen = await readAll(api, `/api-${kind}?limit=${limit}`);
          const made = await Promise.all(creating);
          expect(new Set(seen).size).toBe(seen.length);
          const old = new Set(rows.map(({ id }) => id));
          expect(seen.filter((id) => old.has(id))).toEqual(newestFirst(rows));
          const later = await readAll(api, `/api-${kind}?limit=${limit}`);
          expect(later.toSorted()).toEqual([...old, ...made].toSorted());
        },
      ),
      { numRuns: 20 },
    );
  },
  { tags: "slow" },
);
