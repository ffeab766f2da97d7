import { mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { apiOf, consoleOf, listOf } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "muster-ws-"));
});
afterAll(() => rm(cwd, { recursive: true }));
beforeEach(async () => {
  service = await useSharedService();
  await rm(join(cwd, "ws"), { recursive: true, force: true });
});

const muster = (args: string, env: Readonly<Record<string, string>> = {}) =>
  runMuster(args.split(" "), { cwd, env: { ...environmentOf(service), ...env } });
const read = (file: string) => readFile(join(cwd, "ws", file), "utf8");
const write = (file: string, text: string) => writeFile(join(cwd, "ws", file), text);
const edit = async (file: string, from: string, to: string) => write(file, (await read(file)).replace(from, to));

verifies("resources.cli", "a folder is pulled, compared, changed, applied and pruned", async () => {
  const api = apiOf(service, service.keys.api);
  await createAgent(api, { name: "Writer", system_prompt: "You write.\nBe brief.\n", tags: ["a"] });
  expect(await muster("pull ws")).toMatchObject({
    code: 0,
    stdout: "Wrote ws/muster.yaml\nWrote ws/agents/writer.yaml\n",
  });
  expect(await read("agents/writer.yaml")).toBe(
    [
      "# yaml-language-server: $schema=../.schemas/agent.json",
      "resource: agent",
      "name: Writer",
      "model: demo",
      "system_prompt: |",
      "  You write.",
      "  Be brief.",
      "tags:",
      "  - a",
      "tools:",
      "  - wait",
      "  - current_time",
      "",
    ].join("\n"),
  );
  expect(JSON.parse(await read(".schemas/agent.json"))).toMatchObject({ properties: { resource: { const: "agent" } } });
  expect(await muster("diff ws")).toMatchObject({ code: 0, stdout: "No differences.\n" });

  await edit("agents/writer.yaml", "Be brief.", "Be very brief.");
  await edit("agents/writer.yaml", "  - a", "  - b");
  await write(
    "nightly.yml",
    'resource: schedule\nname: Nightly\ncron: "0 3 * * *"\ntitle: Letter\nassigned_agent_id: Writer\n',
  );
  const plan = [
    "~ change agent Writer (version 2)  agents/writer.yaml",
    "    system_prompt:",
    "      - Be brief.",
    "      + Be very brief.",
    '    tags: ["a"] → ["b"]',
    "+ create schedule Nightly  nightly.yml",
  ];
  expect(await muster("diff ws")).toMatchObject({
    code: 2,
    stdout: [...plan, "1 to create, 1 to change.", ""].join("\n"),
  });
  expect(await muster("apply ws --dry-run")).toMatchObject({ code: 0, stdout: expect.stringContaining("to create") });
  const compared = await muster("diff ws --json");
  expect(compared.code).toBe(2);
  expect(JSON.parse(compared.stdout)).toMatchObject({
    changes: [
      { action: "update", file: "agents/writer.yaml" },
      { action: "create", file: "nightly.yml" },
    ],
  });
  expect(await muster("apply ws")).toMatchObject({
    code: 0,
    stdout: [...plan, "1 created, 1 changed.", ""].join("\n"),
  });
  expect(await muster("diff ws")).toMatchObject({ code: 0 });

  await rm(join(cwd, "ws/nightly.yml"));
  expect(await muster("diff ws")).toMatchObject({
    code: 2,
    stdout: "The files have no changes.\nOnly in the workspace (apply --prune deletes them):\n  schedule Nightly\n",
  });
  const pruned = JSON.parse((await muster("apply ws --prune --json")).stdout);
  expect(pruned).toMatchObject({ applied: true, changes: [{ action: "delete", name: "Nightly" }] });
  expect(listOf(await consoleOf(service, service.keys.api).get("/schedules"))).toEqual([]);
});

verifies("resources.cli.files", "a pull keeps what people wrote", async () => {
  const api = apiOf(service, service.keys.api);
  const desk = consoleOf(service, service.keys.api);
  const { id } = await createAgent(api, { name: "Writer", system_prompt: "You write." });
  const tool = {
    name: "find",
    description: "Finds.",
    url: "https://tools.example/find",
    headers: { "X-Key": "secret" },
  };
  expect((await desk.post("/tools", tool)).status).toBe(201);
  await muster("pull ws");
  await rename(join(cwd, "ws/agents/writer.yaml"), join(cwd, "ws/editors.yaml"));
  await edit("editors.yaml", "resource: agent", "# Ask Ada before you change it.\nresource: agent\ntemperature: 0.7");
  await edit("tools/find.yaml", "${TOOL_FIND_X_KEY}", "${FINDER_KEY}");
  await write("draft.yaml", "resource: agent\nname: Draft\nmodel: demo\n");
  const commented = await read("editors.yaml");
  expect(await muster("pull ws")).toMatchObject({
    code: 0,
    stdout: "2 files stayed as they were\nws/draft.yaml has no record; --prune deletes it\n",
  });
  expect(await read("editors.yaml")).toBe(commented);
  expect(
    (
      await desk.call("PATCH", `/tools/${String(listOf(await desk.get("/tools"))[0]?.["id"])}`, {
        body: { description: "Finds more." },
      })
    ).status,
  ).toBe(200);
  expect((await api.patch(`/api-agents?id=${id}`, { system_prompt: "You edit." })).status).toBe(200);
  expect(await muster("pull ws --prune")).toMatchObject({
    stdout: "Wrote ws/tools/find.yaml\nWrote ws/editors.yaml\nDeleted ws/draft.yaml\n",
  });
  expect(await read("tools/find.yaml")).toContain("X-Key: ${FINDER_KEY}");
  expect(await readdir(join(cwd, "ws/agents"))).toEqual([]);
  // A value leaves this machine only for a secret that names its variable.
  expect(await muster("diff ws", { FINDER_KEY: "secret" })).toMatchObject({ code: 0 });
  expect(await muster("diff ws", { FINDER_KEY: "another" })).toMatchObject({
    code: 2,
    stdout: "~ change tool find  tools/find.yaml\n    headers.X-Key: another secret\n1 to change.\n",
  });
});

verifies("resources.cli.mistakes", "mistakes have their lines, and nothing is changed", async () => {
  await muster("pull ws");
  await write(
    "a.yaml",
    "resource: agent\nname: A\nmodel: demo\ntools:\n  - current_time\n  - custom:nothing\nnmae: x\n",
  );
  await write("b.yaml", "resource: robot\nname: B\n");
  const failed = await muster("apply ws");
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  expect(failed.stderr).toMatch(/1 mistake; nothing was changed\.\n {2}b\.yaml:1: resource must be one of/);
  await rm(join(cwd, "ws/b.yaml"));
  expect((await muster("apply ws")).stderr).toBe(
    [
      "The files have 2 mistakes; nothing was changed.",
      '  a.yaml:6: tools.1: names no tool: "nothing" is neither in the workspace nor described',
      "  a.yaml:7: nmae: unknown field (did you mean name?)",
      "",
    ].join("\n"),
  );
  const json = await muster("diff ws --json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    mistakes: [{ file: "a.yaml", line: 6, path: "tools.1" }, { line: 7 }],
  });
  expect(listOf(await apiOf(service, service.keys.api).get("/api-agents"))).toEqual([]);
});

verifies("resources.cli.yaml", "what no file of a workspace may be is said in a sentence", async () => {
  expect(await muster("diff ws")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"muster pull ws" writes it'),
  });
  await muster("pull ws");
  const files: Readonly<Record<string, string>> = {
    "anchor.yaml": "resource: agent\nname: &a A\nmodel: *a\n",
    "bomb.yaml": `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n`,
    "duplicate.yaml": "resource: agent\nname: A\nname: B\n",
    "large.yaml": `resource: agent\nname: ${"x".repeat(10 * 1024 * 1024)}\n`,
    "list.yaml": "- a\n",
    "empty.yaml": "",
    "nested.yaml": "[".repeat(20_000),
    "several.yaml": "resource: agent\n---\nresource: agent\n",
    "tab.yaml": "resource: agent\nconfig:\n\ta: 1\n",
    "tag.yaml": "resource: agent\nname: !!binary aGk=\n",
    "nan.yaml": "resource: agent\ntemperature: .nan\n",
  };
  for (const [file, text] of Object.entries(files)) await write(file, text);
  const { code, stderr } = await muster("apply ws");
  expect(code).toBe(1);
  for (const said of [
    "anchor.yaml:2: has the anchor &a, which is not read here: repeat the value",
    "anchor.yaml:3: is an alias (*), which is not read here: repeat the value",
    "bomb.yaml:1: has the anchor &a",
    "duplicate.yaml:3: is a field that is there already",
    "large.yaml:1: has 10.0 MiB; the limit of a file is 5 MiB",
    "list.yaml:1: is no record",
    "empty.yaml:1: is no record",
    "nested.yaml:1: is nested too deeply",
    "several.yaml:2: begins a second document: a file describes one record",
    "tab.yaml:3: is indented by a tab: use spaces",
    "tag.yaml:2: has the tag",
    "nan.yaml:2: is no number of JSON",
  ]) {
    expect(stderr).toContain(said);
  }
  await write("muster.yaml", "format: muster-workspace\nversion: 2\nresources: [robot]\n");
  expect((await muster("diff ws")).stderr).toMatch(
    /muster\.yaml:2: version is not one that this version .*\n.*muster\.yaml:3: resources\.0 must be one of/,
  );
});
