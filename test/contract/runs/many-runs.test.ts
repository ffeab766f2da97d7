import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

/** More than the newest that decide how a list is searched, and than the index of words or of costs finds at once. */
const RUNS = 5_600;
const OLD = 1_500;
const FILL = `
  insert into tasks (id, workspace_id, title, status, cost_usd, created_at, dispatched_at, started_at, completed_at)
  select gen_random_uuid(), w.id, case when n <= $2 then 'Archive ' else 'Invoice ' end || n,
    case when n <= 20 then 'failed' else 'completed' end, n / 1000.0, t.at, t.at, t.at, t.at + n % 977 * interval '1 second'
  from generate_series(1, $1::integer) n cross join workspaces w
  cross join lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) t`;

const BRIEF_RUNS_OF = `
  update runs set agent_id = $1 where completed_at - started_at < interval '10 seconds'`;

const page = z.object({
  items: z.array(z.looseObject({ title: z.string() })),
  next_cursor: z.string().nullable(),
});

let service: TestService;
let console: Api;

beforeAll(async () => {
  service = await startService();
  console = consoleOf(service, service.keys.api);
  await sql(service.databaseUrl, FILL, [RUNS, OLD]);
});
afterAll(() => service.stop());

/** The numbers of the runs of all pages, in their order. */
async function numbers(query: string, pages = Infinity): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = "";
  for (let n = 0; n < pages && cursor !== null; n++) {
    const path = `/runs?limit=200&${query}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { items, next_cursor: next } = page.parse((await console.get(path)).body);
    found.push(...items.map(({ title }) => Number(title.split(" ")[1])));
    cursor = next;
  }
  return found;
}

/** The numbers from one to another, both included. */
function down(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, n) => from - n);
}

verifies(
  "console.runs.many",
  "many runs with a word are found, newest first, whatever else is asked",
  async () => {
    expect(await numbers("q=archi")).toEqual(down(OLD, 1));
    expect(await numbers("q=archi&status=failed")).toEqual(down(20, 1));
    expect(await numbers("q=archi&sort=cost")).toEqual(down(OLD, 1));
    expect(await numbers("q=archi&until=2026-01-01T05:00:30Z")).toEqual(down(300, 1));
    expect(await numbers("q=inv", 2)).toEqual(down(RUNS, RUNS - 399));
    expect(await numbers("q=inv%20560")).toEqual([RUNS]);
    expect(await numbers("q=archi%20inv")).toEqual([]);
  },
  { tags: "slow" },
);

verifies(
  "console.runs.many",
  "runs of a minimum cost are found, few and many of them",
  async () => {
    expect(await numbers(`min_cost=${(RUNS - 9) / 1000}`)).toEqual(down(RUNS, RUNS - 9));
    expect(await numbers("min_cost=0.3")).toEqual(down(RUNS, 300));
    expect(await numbers("min_cost=0.3&sort=cost", 2)).toEqual(down(RUNS, RUNS - 399));
    expect(await numbers(`min_cost=${(RUNS - 9) / 1000}&sort=cost`)).toEqual(down(RUNS, RUNS - 9));
    expect(await numbers("min_cost=1.4&q=archi")).toEqual(down(OLD, 1_400));
    expect(await numbers("min_cost=0.015&status=failed")).toEqual(down(20, 15));
    expect(await numbers("min_cost=100")).toEqual([]);
    expect(await numbers("min_cost=0", 1)).toEqual(down(RUNS, RUNS - 199));
  },
  { tags: "slow" },
);

verifies(
  "console.runs.many",
  "an order by cost or duration has every status in its place",
  async () => {
    expect(await numbers("sort=cost")).toEqual(down(RUNS, 1));
    expect(await numbers("sort=cost&status=failed")).toEqual(down(20, 1));
    const durations = (await numbers("sort=duration")).map((n) => n % 977);
    expect(durations).toEqual(durations.toSorted((a, b) => b - a));
    expect(durations).toHaveLength(RUNS);
    // An agent whose runs are the short ones.
    const { id } = await createAgent(apiOf(service, service.keys.api));
    await sql(service.databaseUrl, BRIEF_RUNS_OF, [id]);
    const own = (await numbers(`sort=duration&agent_id=${id}`)).map((n) => n % 977);
    expect(own).toEqual(durations.filter((seconds) => seconds < 10));
  },
  { tags: "slow" },
);
