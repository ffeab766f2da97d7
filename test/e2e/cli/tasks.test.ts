import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openCli, printedRecord } from "../../support/cli.ts";
import type { TestCli } from "../../support/cli.ts";
import { freePort } from "../../support/free-port.ts";
import { environmentOf, runMuster, startMuster } from "../../support/muster.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import { formatTime } from "../../../src/cli/terminal/format.ts";
import { verifies } from "../../support/verifies.ts";

/** Long enough for whatever a test does meanwhile. */
const ENDLESS = "[[slow:100]] [[words:5000]]";
const events = z.array(
  z.looseObject({ type: z.string(), delta: z.string().optional(), messageId: z.string().optional() }),
);

let cli: TestCli;

beforeAll(async () => {
  cli = await openCli();
});

function createTask(description: string, ...more: readonly string[]): readonly string[] {
  return ["tasks", "create", "--agent", "Writer", "--title", "T", "--description", description, ...more];
}

function parseEvents(stdout: string) {
  return events.parse(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
}

describe("tasks", () => {
  verifies("cli.tasks.at", "the start of a task that waits for its time is shown", async () => {
    const id = /task (\S+) \(pending\)/.exec(await cli.succeed(...createTask("x", "--at", "2h")))?.[1] ?? "";
    const { scheduled_for: at } = await cli.readRecord("tasks", "get", id);
    const shown = formatTime(String(at));
    expect(await cli.succeed("tasks", "get", id)).toContain(shown);
    expect(await cli.succeed("tasks", "list")).toContain(`pending until ${shown}`);
  });

  verifies("cli.tasks.create", "a task is created for an agent, its description read from standard input", async () => {
    const { stdout } = await cli.musterWith({ input: "[[say:from a pipe]]" }, ...createTask("-", "--watch"));
    expect(stdout).toBe("from a pipe\n");
    expect(await cli.succeed(...createTask("[[say:x]]"))).toMatch(/^Created task [0-9a-f-]{36} \(dispatched\)$/m);
  });

  verifies("cli.tasks.create-watch", "the text, the tools, the result and its usage are shown", async () => {
    const script = "[[say:Looking.]] [[tool:current_time {}]]";
    const { code, stdout, stderr } = await cli.muster(...createTask(script, "--watch"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Looking\.\nDemo model \(no AI\)/);
    expect(stderr).toMatch(/→ current_time\n✓ current_time \{\} \(\d+ ms\): \d{4}-/);
    expect(stderr).toMatch(/completed · \d+ tokens in, \d+ out · \$0 · .*s · task [0-9a-f-]{36}/);
  });

  verifies("reasoning.shown.watch", "what an agent thinks is a line of messages if it shows it", async () => {
    const thought = `First ${"I count the words. ".repeat(20)}`;
    const script = `[[think:${thought}]] [[say:Looking.]] [[tool:current_time {}]]\n[[think:Easy.]] [[say:Noon.]]`;
    await cli.succeed("agents", "create", "--name", "Thinker", "--model", "demo", "--show-reasoning", "on");
    const shown = await cli.muster(...createTask(script, "--watch", "--agent", "Thinker"));
    expect(shown.stdout).toBe("Looking.\nNoon.\n");
    expect(shown.stderr).toMatch(
      /^∴ Thinking: First I count the words\. .{70,90}…\n→ current_time\n✗[^\n]*\n∴ Thinking: Easy\.$/m,
    );
    expect((await cli.muster(...createTask(script, "--watch"))).stderr).not.toContain("Thinking");
  });

  verifies(
    ["cli.tasks.create-watch", "cli.tasks.cancel", "cli.exit-codes"],
    "text is shown while the task runs; a cancelled task ends the watching with 1",
    async () => {
      const watching = startMuster(createTask(ENDLESS, "--watch", "--json"), { env: environmentOf(cli.service) });
      const [, id = ""] = /"threadId":"([^"]+)"/.exec(await watching.prints(/TEXT_MESSAGE_CONTENT/)) ?? [];
      expect(await cli.succeed("tasks", "cancel", id)).toBe(`Cancelled task ${id}\n`);
      const { code, stdout } = await watching.ended;
      expect(code).toBe(1);
      expect(parseEvents(stdout).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
    },
  );

  test("a tool that fails is marked", async () => {
    const script = '[[tool:current_time {"time_zone":"Mars/Olympus"}]]';
    expect((await cli.muster(...createTask(script, "--watch"))).stderr).toMatch(/^✗ current_time .*Mars\/Olympus/m);
  });

  test("Ctrl-C stops watching, shows how to continue, and leaves the task running", { tags: "slow" }, async () => {
    const watching = startMuster(createTask(ENDLESS, "--watch"), { env: environmentOf(cli.service) });
    await watching.prints(/Demo/);
    watching.process.kill("SIGINT");
    const { code, stderr } = await watching.ended;
    expect(code).toBe(130);
    const [, id = ""] = /muster tasks watch (\S+)/.exec(stderr) ?? [];
    expect(stderr).toContain(`muster tasks cancel ${id}`);
    expect(await cli.readRecord("tasks", "get", id)).toMatchObject({ status: "running" });
    await cli.succeed("tasks", "cancel", id);
  });

  verifies("cli.tasks.list", "tasks are listed, those of one state when asked", async () => {
    await cli.muster(...createTask("[[fail:no luck]]", "--watch"));
    expect(await cli.succeed("tasks", "list")).toMatch(/^ID +STATUS +PRIORITY +CREATED +TITLE\n/);
    const { stdout, stderr } = await cli.muster("tasks", "list", "--status", "failed", "--json");
    const statuses = z
      .array(printedRecord)
      .parse(JSON.parse(stdout))
      .map((task) => task["status"]);
    expect([...new Set(statuses)]).toEqual(["failed"]);
    expect(stderr).toBe("");
  });

  verifies("cli.tasks.get", "a task is shown with its result", async () => {
    const [started] = parseEvents(await cli.succeed(...createTask("[[say:the result]]", "--watch", "--json")));
    const shown = await cli.succeed("tasks", "get", z.string().parse(started?.["threadId"]));
    expect(shown).toMatch(/^status +completed$/m);
    expect(shown).toMatch(/^agent +\S.* \([\da-f-]{36}\)$/m);
    expect(shown).toMatch(/\n\nthe result\n$/);
  });
});

test("a watcher survives a crash of the service and sees every event once", { tags: "slow" }, async () => {
  const database = await createDatabase();
  const keys = createKeys();
  // The second service has the address of the first.
  const own = { databaseUrl: database.url, keys, env: { PORT: String(await freePort()) } };
  const first = await startProcess(own);
  const env = environmentOf(first);
  await runMuster(["agents", "create", "--name", "Writer", "--model", "demo"], { env });
  const watching = startMuster(createTask("[[slow:100]] [[words:25]]", "--watch", "--json"), { env });
  await watching.prints(/(TEXT_MESSAGE_CONTENT[^]*){3}/);
  await first.kill();
  const second = await startService(own);
  const { code, stdout, stderr } = await watching.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Connection lost") });
  const [started] = parseEvents(stdout);
  const replay = await runMuster(["tasks", "watch", String(started?.["threadId"]), "--json"], { env });
  expect(parseEvents(stdout)).toEqual(parseEvents(replay.stdout));
  await second.stop();
  await database.drop();
});
