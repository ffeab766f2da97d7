import { expect } from "vitest";
import { openLine } from "../support/database/database-line.ts";
import { createDatabase, startProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

verifies(
  ["operations.outage.unavailable", "operations.ready.reasons"],
  "over a dead connection requests get 503, and the process reports its database as unavailable",
  async () => {
    const database = await createDatabase();
    const line = await openLine(database.url);
    const service = await startProcess({ databaseUrl: line.url });
    const headers = { "x-api-key": service.keys.api };
    const list = () => fetch(`${service.url}/functions/v1/api-agents`, { headers });
    expect((await list()).status).toBe(200);
    line.dropAll();
    const [answer, ready] = await Promise.all([list(), fetch(`${service.url}/readyz`)]);
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toMatchObject([
      503,
      "2",
      { error: { code: "unavailable" } },
    ]);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ reasons: expect.arrayContaining(["database"]) });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await service.kill();
    line.close();
    await database.drop();
  },
);
