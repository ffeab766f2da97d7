import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";

const page = z.object({
  data: z.object({
    items: z.array(z.record(z.string(), z.unknown())),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
});

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

/** The ids of a list, page by page. */
async function walk(desk: Api, path: string, id: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "?limit=2" : `?limit=2&cursor=${cursor}`;
    const answer = await desk.call("GET", path + query, { headers: { "x-api-version": "2" } });
    expect(answer.status, answer.text).toBe(200);
    const { data } = page.parse(answer.body);
    expect(data.items.length).toBeLessThanOrEqual(2);
    expect(data.has_more).toBe(data.next_cursor !== null);
    found.push(...data.items.map((item) => item[id]));
    cursor = data.next_cursor;
  } while (cursor !== null);
  return found;
}

verifies("console.pages.access", "keys, members and invitations come in pages, each row once", async () => {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  const desk = consoleOf(service, key);
  for (const n of [1, 2, 3, 4]) {
    expect((await desk.post("/keys", { label: `Key ${n}`, kind: "mcp" })).status).toBe(201);
    await addMember(service.databaseUrl, workspaceId, "viewer");
    expect((await desk.post("/invitations", { email: `p${n}@example.org`, role: "viewer" })).status).toBe(201);
  }
  for (const [path, id] of [
    ["/keys", "id"],
    ["/members", "user_id"],
    ["/invitations", "id"],
  ] as const) {
    const whole = z.array(z.record(z.string(), z.unknown())).parse((await desk.get(path)).body);
    expect(whole.length).toBeGreaterThanOrEqual(4);
    expect(await walk(desk, path, id)).toEqual(whole.map((row) => row[id]));
    expect(refusal(await desk.get(`${path}?limit=201`))).toMatchObject({ status: 400, paths: ["limit"] });
    expect(refusal(await desk.get(`${path}?cursor=x`))).toMatchObject({ status: 400, paths: ["cursor"] });
  }
});
