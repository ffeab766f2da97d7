import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, fieldsOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const WAITING = "select from pg_locks where locktype = 'advisory' and not granted";
const keys = createKeys();

let database: TestDatabase;
let other: TestService;

beforeAll(async () => {
  database = await createDatabase();
  other = await startService({ databaseUrl: database.url, keys });
});
afterAll(async () => {
  await other.stop();
  await database.drop();
});

function post(service: TestService, title: string) {
  return apiOf(service, keys.api).post("/api-tasks", { title }, { "idempotency-key": title });
}

async function tasksCalled(title: string): Promise<string[]> {
  return (await sql<{ id: string }>(database.url, "select id from tasks where title = $1", [title])).map(
    ({ id }) => id,
  );
}

verifies(
  ["envelope.idempotency.across-processes", "envelope.idempotency.kill"],
  "when a process is killed in the middle of a request, the repetition at another executes it",
  async () => {
    const title = "killed before the commit";
    const one = await startProcess({ databaseUrl: database.url, keys });
    const operator = new Client({ connectionString: database.url });
    await operator.connect();
    // Holds the first request in the middle of its transaction.
    await operator.query("begin; lock table task_streams in access exclusive mode");
    const first = post(one, title).catch(() => "cut off");
    await eventually("the first in its transaction", async () => {
      const held = await sql(database.url, "select from pg_locks where locktype = 'advisory' and granted");
      return held.length > 0 && (await sql(database.url, "select from pg_locks where not granted")).length > 0;
    });
    const second = post(other, title);
    await eventually("the second waiting", async () => (await sql(database.url, WAITING)).length > 0);
    await one.kill();
    expect(await first).toBe("cut off");
    await operator.query("commit");
    await operator.end();
    const answer = await second;
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(await tasksCalled(title)).toEqual([fieldsOf(answer)["id"]]);
  },
);

verifies(
  "envelope.idempotency.kill",
  "whenever processes are killed while they answer, each repeated request is executed once in all",
  async () => {
    const one = await startProcess({ databaseUrl: database.url, keys });
    const titles = Array.from({ length: 60 }, (_, i) => `killed around the commit ${i}`);
    const cut = titles.map((title) => post(one, title).catch(() => undefined));
    await eventually("the first tasks", async () => (await tasksCalled(titles[10] ?? "")).length > 0);
    await one.kill();
    const answered = await Promise.all(cut);
    for (const [index, title] of titles.entries()) {
      const again = await post(other, title);
      expect(again.status).toBe(201);
      expect(await tasksCalled(title)).toEqual([fieldsOf(again)["id"]]);
      const before = answered[index];
      if (before !== undefined) expect([before.text, title]).toEqual([again.text, title]);
    }
  },
);
