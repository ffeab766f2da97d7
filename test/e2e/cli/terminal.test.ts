import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiOf } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { musterInTerminal } from "../../support/clients/terminal.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

const DOWN = "\u001B[B";
const CTRL_C = "\u0003";

let service: TestService;
let guideId: string;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "muster-terminal-"));
  service = await startService();
  env = { ...environmentOf(service), HOME: home };
  const guide = await createAgent(apiOf(service, service.keys.api), {
    name: "Guide",
    tools: ["request_choice", "current_time"],
  });
  guideId = guide.id;
});

afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true });
});

const TASK = ["tasks", "create", "--agent", "Guide", "--title", "T", "--description"];

verifies(
  "cli.tasks.answer",
  "on a terminal a question is answered in place, with the options' descriptions",
  async () => {
    const choices = [
      { id: "red", label: "Red", description: "as it was" },
      { id: "blue", label: "Blue", description: "like the sky" },
    ];
    const call = `[[tool:request_choice ${JSON.stringify({ title: "Which colour?", choices })}]]`;
    const watching = musterInTerminal([...TASK, call, "--watch"], { env });
    expect(await watching.shows(/Which colour\?[^]*Blue/)).toContain("as it was");
    watching.type(DOWN);
    await watching.shows(/like the sky/);
    watching.type("\r");
    expect(await watching.ended).toBe(0);
    expect(watching.text()).toContain('"selectedOptionId":"blue"');
  },
  { tags: "slow" },
);

verifies(
  "cli.deletes.ask",
  "a deletion lists what it deletes and asks, on a terminal only; --yes skips the question",
  async () => {
    const api = apiOf(service, service.keys.api);
    const [, gone = ""] = await Promise.all(
      ["Kept", "Gone", "Quick"].map(async (name) => (await createAgent(api, { name })).id),
    );
    const refused = musterInTerminal(["agents", "delete", "Kept"], { env });
    await refused.shows(/Delete agent Kept .*\?\s+Its unfinished tasks are cancelled\./);
    refused.type("n");
    expect(await refused.ended).toBe(1);
    const agreed = musterInTerminal(["agents", "delete", gone], { env });
    await agreed.shows(/Delete agent Gone/);
    agreed.type("y");
    expect(await agreed.ended).toBe(0);
    expect(await musterInTerminal(["agents", "delete", "Quick", "--yes"], { env }).ended).toBe(0);
    const list = await runMuster(["agents", "list"], { env });
    expect(list.stdout).toContain("Kept");
    expect(list.stdout).not.toMatch(/Gone|Quick/);
  },
  { tags: "slow" },
);

verifies(
  "cli.tables.fit",
  "a table fits the terminal; its short ids are accepted in place of ids",
  async () => {
    const api = apiOf(service, service.keys.api);
    const { id } = await createAgent(api, { name: "A rather long name for an agent ".repeat(3) });
    const list = musterInTerminal(["agents", "list"], { env, columns: 50 });
    expect(await list.ended).toBe(0);
    const lines = list.text().trim().split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(50);
    const [shortId = ""] = lines.find((line) => line.includes("A rather"))?.split(" ") ?? [];
    const shown = await runMuster(["agents", "get", shortId, "--json"], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ id });
  },
  { tags: "slow" },
);

verifies("cli.tables.fit", "on a very narrow terminal each row of a table is a list of its fields", async () => {
  const api = apiOf(service, service.keys.api);
  const { id } = await createAgent(api, { name: "Narrow" });
  const list = musterInTerminal(["agents", "list"], { env, columns: 20 });
  expect(await list.ended).toBe(0);
  expect(list.text().replaceAll("\r", "")).toMatch(new RegExp(`^ID +${id.slice(-8)}\nNAME +Narrow$`, "m"));
});

verifies(
  "cli.tasks.answer",
  "tasks answer asks in place on a terminal; Ctrl-C leaves the question open",
  async () => {
    const call = `[[tool:request_choice ${JSON.stringify({ title: "Which?", choices: [{ id: "a", label: "Alpha" }] })}]]`;
    const api = apiOf(service, service.keys.api);
    const { id } = await createTask(api, { assigned_agent_id: guideId, description: call });
    await taskIn(api, id, "waiting_for_input");
    const aborted = musterInTerminal(["tasks", "answer", id], { env });
    await aborted.shows(/Alpha/);
    aborted.type(CTRL_C);
    expect(await aborted.ended).toBe(130);
    expect(aborted.text()).toContain("Not answered; the question stays open.");
    const retried = await runMuster(["tasks", "retry", id], { env });
    expect(retried).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`End it first: muster tasks cancel ${id}`),
    });
    const answering = musterInTerminal(["tasks", "answer", id], { env });
    await answering.shows(/Alpha/);
    answering.type("\r");
    expect(await answering.ended).toBe(0);
    expect(answering.text()).toContain(`Answered task ${id}`);
    await taskIn(api, id, "completed");
  },
  { tags: "slow" },
);

test("notes are wrapped between words, and commands to copy are not", async () => {
  const shown = musterInTerminal(["agents", "create", "--name", "x"], { env, columns: 40 });
  expect(await shown.ended).toBe(2);
  const lines = shown.text().split(/\r?\n/);
  expect(lines.slice(0, 2)).toEqual([
    "An agent needs --name and --model, or",
    "both in --config. Try --model demo; see",
  ]);
});

test("the help is wrapped to its end, and commands to copy are not", async () => {
  const shown = musterInTerminal(["--help"], { env, columns: 40 });
  expect(await shown.ended).toBe(0);
  const lines = shown.text().split(/\r?\n/);
  const isOneWord = (line: string) => /^\S+$/.test(line.trim());
  const isCommand = (line: string) => line.startsWith("  $ muster ");
  expect(lines.filter((line) => line.length > 40 && !isOneWord(line) && !isCommand(line))).toEqual([]);
  expect(lines).toContain("Exit codes:");
});

verifies("cli.login", "login stores a profile after it has checked the key; logout deletes it", async () => {
  const own = { HOME: home };
  const login = musterInTerminal(["login"], { env: own });
  await login.shows(/URL of the service/);
  login.type(`${service.url}\r`);
  await login.shows(/API key/);
  login.type(`${service.keys.api}\r`);
  expect(await login.ended).toBe(0);
  expect(login.text()).toMatch(/Logged in to http.* \(profile default\)/);
  expect(login.text()).not.toContain(service.keys.api);
  expect((await runMuster(["whoami"], { env: own })).code).toBe(0);
  const status = await runMuster(["status"], { env: own });
  expect(status.stdout).toMatch(/^service +http.*\(Muster \d+\.\d+\.\d+(\+[0-9a-f]{7})?\)$/m);
  expect((await runMuster(["login", "--url", service.url, "--key", "mst_wrong"], { env: own })).code).toBe(4);
  const again = await runMuster(["login"], { env: own, input: service.keys.api });
  expect(again).toMatchObject({ code: 0, stderr: "" });
  const empty = await runMuster(["login"], { env: own, input: "" });
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringMatching(/^No key given\.[^]*muster keys create/) });
  expect((await runMuster(["logout"], { env: own })).code).toBe(0);
  expect((await runMuster(["whoami", "--url", service.url], { env: own })).code).toBe(4);
});

test("Ctrl-C at a question stops watching, not the task", { tags: "slow" }, async () => {
  const call = `[[tool:request_choice ${JSON.stringify({ title: "Now?", choices: [{ id: "a", label: "A" }] })}]]`;
  const watching = musterInTerminal([...TASK, call, "--watch"], { env });
  await watching.shows(/Now\?/);
  watching.type(CTRL_C);
  expect(await watching.ended).toBe(130);
  expect(watching.text()).toMatch(/muster tasks answer \S+ --choice[^]*the task is still running/);
});

verifies("cli.completion", "completion knows commands, options and values", async () => {
  const complete = async (...words: readonly string[]) =>
    (await runMuster(["complete", ...words])).stdout.trimEnd().split("\n");
  expect(await complete("age")).toEqual(["agents"]);
  expect(await complete("tasks", "create", "--pri")).toEqual(["--priority"]);
  expect(await complete("tasks", "list", "--status", "wait")).toEqual(["waiting_for_input"]);
  const described = async (...words: readonly string[]) => (await runMuster(["complete-described", ...words])).stdout;
  expect(await described("age")).toBe("agents\tManage agents\n");
  expect(await described("tasks", "create", "--pri")).toBe("--priority\tMore urgent tasks start first\n");
  expect((await runMuster(["completion", "bash"])).stdout).toContain("complete -o default -F _muster muster");
});
