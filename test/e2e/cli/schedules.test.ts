import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, listOf, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import type { Ended } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { QUICK, createAgent } from "../../support/work.ts";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
  await createAgent(apiOf(service, service.keys.api), { name: "Clerk" });
  await createTeam(apiOf(service, service.keys.api), { name: "Crew" });
});

function muster(...args: string[]): Promise<Ended> {
  return runMuster(args, { env: environmentOf(service) });
}

function idIn(ended: Ended): string {
  expect(ended).toMatchObject({ code: 0 });
  return z.looseObject({ id: z.string() }).parse(JSON.parse(ended.stdout)).id;
}

test("schedules on the command line", async () => {
  const make = ["schedules", "create", "--name", "Tick", "--title", "T"];
  const created = await muster(...make, "--cron", "0 9 * * *", "--time-zone", "Europe/Berlin", "--team", "Crew");
  expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining("Created schedule Tick") });
  expect(created.stderr).toMatch(/Next: (\S+ \S+, ){4}/);
  expect((await muster("schedules", "log", "Tick")).stderr).toMatch(
    /^It has not been due yet\. .* schedules get \S+\n$/,
  );
  const id = idIn(await muster(...make, "--cron", "* * * * * *", "--agent", "Clerk", "--description", QUICK, "--json"));
  const fires = () => consoleOf(service, service.keys.api).get(`/schedules/${id}/fires`);
  await eventually("a fire", async () => listOf(await fires()).length > 0);
  expect((await muster("schedules", "pause", id)).stdout).toContain("Paused schedule Tick");
  expect((await muster("schedules", "list")).stdout).toMatch(/\* \* \* \* \* \* +UTC +paused/);
  expect((await muster("schedules", "get", id)).stdout).toMatch(/agent +Clerk \([\da-f-]{36}\)[^]*next +paused/);
  expect((await muster("schedules", "log", id)).stdout).toMatch(/fired +1 +\d/);
  expect((await muster("schedules", "resume", id)).stdout).toContain("Resumed");
  expect((await muster("schedules", "delete", id, "--yes")).stdout).toContain("Deleted");
  expect((await muster("schedules", "get", id)).stderr).toContain("Schedule not found");
  const neither = await muster(...make, "--cron", "0 9 * * *");
  expect(neither).toMatchObject({ code: 2, stderr: expect.stringContaining("either --agent or --team") });
  expect((await muster(...make, "--cron", "x", "--agent", "Clerk")).stderr).toContain("is not a valid cron expression");
});

test("triggers on the command line", async () => {
  const made = await muster("triggers", "create", "--name", "Hook", "--title", "Event", "--agent", "Clerk");
  expect(made.code).toBe(0);
  const url = made.stdout.trim();
  expect(url).toContain("/hooks/in/mst_hook_");
  const [, id = ""] = /\((\S+)\)/.exec(made.stderr) ?? [];
  expect((await muster("triggers", "log", id)).stderr).toMatch(/^No requests yet\. /);
  expect((await send("POST", url, { body: { a: 1 }, headers: { "idempotency-key": "d-1" } })).status).toBe(202);
  expect((await muster("triggers", "log", id)).stdout).toMatch(/accepted +7 +d-1 /);
  expect((await muster("triggers", "get", id)).stdout).toMatch(/agent +Clerk \([\da-f-]{36}\)/);
  expect((await muster("triggers", "pause", id)).stdout).toContain("Paused trigger Hook");
  expect((await muster("triggers", "list")).stdout).toMatch(/Hook +mst_hook_\S+ +no +paused/);
  expect((await muster("triggers", "resume", id)).stdout).toContain("Resumed");
  expect((await muster("triggers", "rotate", id)).stdout.trim()).not.toBe(url);
  expect((await muster("triggers", "get", id)).stdout).toMatch(/state +active/);
  expect((await muster("triggers", "delete", id, "--yes")).stdout).toContain("Deleted");
});

test("a task for later on the command line", async () => {
  const args = ["tasks", "create", "--agent", "Clerk", "--title", "Later", "--at", "2100-01-01T00:00:00Z", "--json"];
  const created = await muster(...args);
  expect(JSON.parse(created.stdout)).toMatchObject({ status: "pending", scheduled_for: "2100-01-01T00:00:00.000000Z" });
});
