import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import { createRoute } from "../../support/destinations/deliveries.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

const alerts = (...args: readonly string[]) => runMuster(["alerts", ...args], { env: environmentOf(service) });

verifies("alerts.cli", "alerts are created, changed, tested, disabled and deleted", async () => {
  expect(await alerts("list")).toMatchObject({ code: 0, stderr: expect.stringContaining("No alerts yet") });
  await createAgent(apiOf(service, service.keys.api), { name: "Writer" });
  await createRoute(consoleOf(service, service.keys.api), "https://example.com/alerts", {
    name: "On call",
    is_active: false,
  });
  const rule = ["--kind", "failure_rate", "--from", "20", "--window", "30", "--agent", "Writer", "--route", "On call"];
  const made = await alerts("create", "--name", "Failures", ...rule);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Created alert Failures \(\S+\)\n$/) });
  expect(await alerts("update", "Failures", "--from", "30", "--route", "none")).toMatchObject({ code: 0 });
  expect(await alerts("test", "Failures")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no destination"),
  });
  expect(await alerts("update", "Failures", "--route", "On call")).toMatchObject({ code: 0 });
  const sent = await alerts("test", "Failures");
  expect(sent.stdout).toMatch(/^Sent a test to On call: muster deliveries get \S+\n$/);
  expect(await alerts("disable", "Failures")).toMatchObject({
    stdout: expect.stringMatching(/^Disabled alert Failures/),
  });
  expect((await alerts("list")).stdout).toMatch(/ Failures +failure_rate +30 .* disabled .* On call\n$/);
  expect(await alerts("enable", "Failures")).toMatchObject({
    stdout: expect.stringMatching(/^Enabled alert Failures/),
  });
  expect(JSON.parse((await alerts("list", "--json")).stdout)).toMatchObject([
    { threshold: 30, window_minutes: 30, min_runs: 10, target_name: "Writer", is_enabled: true },
  ]);
  expect(await alerts("update", "Failures")).toMatchObject({ code: 2 });
  expect(await alerts("delete", "Failures", "--yes")).toMatchObject({ code: 0 });
});
