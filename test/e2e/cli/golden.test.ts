import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf } from "../../support/api.ts";
import { goldenOf } from "../../support/golden.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;
let folder: string;
beforeAll(async () => {
  service = await useSharedService();
  folder = await mkdtemp(join(tmpdir(), "golden-"));
});

const muster = (...args: readonly string[]) =>
  runMuster(["golden", ...args], { env: environmentOf(service), cwd: folder });

verifies("golden.cli", "a run is kept, tried, gated and published; JUnit says what has not passed", async () => {
  const api = apiOf(service, service.keys.api);
  const { id } = await createAgent(api, { name: "Clerk & Co" });
  const task = await goldenOf(service, api).ended(id, { title: "Greet", description: "[[slow:0]][[say:Hi <b>]]" });
  await writeFile(join(folder, "checks.json"), '{"checks": [{"type": "contains", "value": "Hi"}]}');
  const kept = await muster("keep", task, "--checks", "checks.json", "--json");
  const { id: golden } = JSON.parse(kept.stdout);
  expect((await muster("cases", "Clerk & Co")).stdout).toMatch(/Greet +contains/);
  const passed = await muster("run", "Clerk & Co", "--junit", "golden.xml");
  expect(passed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Greet +passed [^]*\n1 of 1 cases passed\n$/),
  });
  expect(await readFile(join(folder, "golden.xml"), "utf8")).toMatch(
    /<testsuite name="Clerk &amp; Co" tests="1" failures="0"[^]*<testcase classname="Clerk &amp; Co" name="Greet" time="[\d.]+"\/>/,
  );

  expect(await muster("update", golden, "--expected", "Bye", "--checks", "checks.json")).toMatchObject({ code: 0 });
  await writeFile(join(folder, "exact.json"), '{"checks": [{"type": "exact"}]}');
  await muster("update", golden, "--checks", "exact.json");
  const failed = await muster("run", "Clerk & Co", "--junit", "golden.xml");
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining("Greet: exact: The result differs") });
  expect(await readFile(join(folder, "golden.xml"), "utf8")).toContain(
    '<failure type="failed" message="exact: The result differs: it has “Hi &lt;b&gt;” in the place of “Bye”.">',
  );
  expect((await muster("runs", "Clerk & Co")).stdout).toMatch(/ failed +0 of 1[^]* passed +1 of 1/);

  expect((await muster("gate", "Clerk & Co", "--required", "all")).stdout).toContain("must pass all of 1 golden cases");
  const shut = await muster("publish", "Clerk & Co", "--model", "demo", "--version", "1");
  expect(shut).toMatchObject({ code: 0 });
  await writeFile(join(folder, "candidate.json"), '{"temperature": 0.1}');
  const held = await muster("publish", "Clerk & Co", "--changes", "candidate.json");
  expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining("has passed 0 of 1") });
  const tried = await muster("run", "Clerk & Co", "--changes", "candidate.json", "--json");
  const goldenRun = z.looseObject({ id: z.string() }).parse(JSON.parse(tried.stdout)).id;
  const anyway = ["--override", "The case is wrong."];
  expect((await muster("publish", "Clerk & Co", "--golden-run", goldenRun, ...anyway)).stdout).toBe(
    "Published version 2 of Clerk & Co\n",
  );
  expect(await muster("gate", "Clerk & Co", "--required", "none")).toMatchObject({ code: 0 });
  expect((await muster("delete", golden)).stdout).toBe(`Deleted golden case ${golden}\n`);
  expect(await muster("run", "Clerk & Co")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no golden cases"),
  });
});
