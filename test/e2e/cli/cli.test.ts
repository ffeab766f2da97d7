import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { freePort } from "../../support/free-port.ts";
import { environmentOf, runMuster, startMuster } from "../../support/muster.ts";
import type { Ended, MusterOptions } from "../../support/muster.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

/** Long enough for whatever a test does meanwhile. */
const ENDLESS = "[[slow:100]] [[words:5000]]";
const record = z.looseObject({ id: z.string(), name: z.string().optional(), status: z.string().optional() });
const events = z.array(
  z.looseObject({ type: z.string(), delta: z.string().optional(), messageId: z.string().optional() }),
);

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
  await succeed("agents", "create", "--name", "Writer", "--model", "demo", "--tools", "current_time");
});

function muster(...args: readonly string[]): Promise<Ended> {
  return musterWith({}, ...args);
}

function musterWith({ env, ...options }: MusterOptions, ...args: readonly string[]): Promise<Ended> {
  return runMuster(args, { ...options, env: { ...environmentOf(service), ...env } });
}

/** Runs a command that must succeed; returns its standard output. */
async function succeed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await muster(...args);
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

async function readRecord(...args: readonly string[]) {
  return record.parse(JSON.parse(await succeed(...args, "--json")));
}

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

describe("agents", () => {
  verifies(["cli.agents.create", "cli.agents.list"], "a created agent is listed", async () => {
    const { id } = await readRecord("agents", "create", "--name", "Lister", "--model", "demo");
    const lines = (await succeed("agents", "list")).split("\n");
    expect(lines[0]).toMatch(/^ID +NAME +MODEL +STATUS$/);
    expect(lines.find((line) => line.startsWith(id))).toMatch(/ Lister +demo +idle$/);
  });

  verifies("cli.missing-key", "an agent whose provider has no key is created, with what to add", async () => {
    const add = "The model gpt-4o cannot be called yet. No API key for OpenAI. Add one to the workspace with";
    const made = await muster("agents", "create", "--name", "Keyless", "--model", "gpt-4o");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(add)]);
    expect((await muster("agents", "get", "Keyless")).stderr).toContain(add);
    const later = ["--title", "T", "--at", "2999-01-01T00:00:00Z"];
    expect((await muster("tasks", "create", "--agent", "Keyless", ...later)).stderr).toContain(add);
    expect((await muster("agents", "update", "Keyless", "--description", "x")).stderr).toContain(add);
    const changed = await muster("agents", "update", "Keyless", "--model", "demo");
    expect(changed).toMatchObject({ code: 0, stderr: "" });
    const run = await muster("tasks", "create", "--agent", "Keyless", "--title", "T", "--watch");
    expect(run.code).toBe(0);
  });

  test("an agent is shown and deleted by its name", async () => {
    const { id } = await readRecord("agents", "create", "--name", "To go", "--model", "demo");
    expect(await succeed("agents", "get", "To go")).toContain(id);
    expect(await succeed("agents", "delete", "To go")).toContain(id);
    expect((await muster("agents", "get", id)).code).toBe(1);
  });

  test("an unknown name is rejected with the names, an ambiguous one with the ids", async () => {
    const unknown = await muster("agents", "get", "Writr");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain('Did you mean "Writer"?');
    const one = await readRecord("agents", "create", "--name", "Twin", "--model", "demo");
    const two = await readRecord("agents", "create", "--name", "Twin", "--model", "demo");
    const ambiguous = await muster("tasks", "create", "--agent", "Twin", "--title", "T");
    expect(ambiguous.code).toBe(2);
    expect(ambiguous.stderr).toContain(one.id);
    expect(ambiguous.stderr).toContain(two.id);
  });

  test("a list longer than a page is read to its end, each row once", async () => {
    const headers = { "X-API-Key": service.keys.api, "Content-Type": "application/json" };
    for (let row = 0; row < 205; row++) {
      const body = JSON.stringify({ name: `Row ${row}`, model: "demo" });
      await fetch(`${service.url}/functions/v1/api-agents`, { method: "POST", headers, body });
    }
    const listed = z.array(record).parse(JSON.parse(await succeed("agents", "list", "--limit", "203", "--json")));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(203);
  });
});

describe("tasks", () => {
  verifies("cli.tasks.create", "a task is created for an agent, its description read from standard input", async () => {
    const { stdout } = await musterWith({ input: "[[say:from a pipe]]" }, ...createTask("-", "--watch"));
    expect(stdout).toBe("from a pipe\n");
    expect(await succeed(...createTask("[[say:x]]"))).toMatch(/^Created task [0-9a-f-]{36} \(dispatched\)$/m);
  });

  verifies("cli.tasks.create-watch", "the text, the tools, the result and its usage are shown", async () => {
    const script = "[[say:Looking.]] [[tool:current_time {}]]";
    const { code, stdout, stderr } = await muster(...createTask(script, "--watch"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Looking\.\nDemo model \(no AI\)/);
    expect(stderr).toMatch(/→ current_time\n✓ current_time \{\} \(\d+ ms\): \d{4}-/);
    expect(stderr).toMatch(/completed · \d+ tokens in, \d+ out · \$0 · .*s · task [0-9a-f-]{36}/);
  });

  verifies(
    ["cli.tasks.create-watch", "cli.tasks.cancel", "cli.exit-codes"],
    "text is shown while the task runs; a cancelled task ends the watching with 1",
    async () => {
      const watching = startMuster(createTask(ENDLESS, "--watch", "--json"), { env: environmentOf(service) });
      const [, id = ""] = /"threadId":"([^"]+)"/.exec(await watching.prints(/TEXT_MESSAGE_CONTENT/)) ?? [];
      expect(await succeed("tasks", "cancel", id)).toBe(`Cancelled task ${id}\n`);
      const { code, stdout } = await watching.ended;
      expect(code).toBe(1);
      expect(parseEvents(stdout).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
    },
  );

  test("a tool that fails is marked", async () => {
    const script = '[[tool:current_time {"time_zone":"Mars/Olympus"}]]';
    expect((await muster(...createTask(script, "--watch"))).stderr).toMatch(/^✗ current_time .*Mars\/Olympus/m);
  });

  test("Ctrl-C stops watching, shows how to continue, and leaves the task running", async () => {
    const watching = startMuster(createTask(ENDLESS, "--watch"), { env: environmentOf(service) });
    await watching.prints(/Demo/);
    watching.process.kill("SIGINT");
    const { code, stderr } = await watching.ended;
    expect(code).toBe(130);
    const [, id = ""] = /muster tasks watch (\S+)/.exec(stderr) ?? [];
    expect(stderr).toContain(`muster tasks cancel ${id}`);
    expect(await readRecord("tasks", "get", id)).toMatchObject({ status: "running" });
    await succeed("tasks", "cancel", id);
  });

  verifies("cli.tasks.list", "tasks are listed, those of one state when asked", async () => {
    await muster(...createTask("[[fail:no luck]]", "--watch"));
    expect(await succeed("tasks", "list")).toMatch(/^ID +STATUS +PRIORITY +CREATED +TITLE\n/);
    const { stdout, stderr } = await muster("tasks", "list", "--status", "failed", "--json");
    const statuses = z
      .array(record)
      .parse(JSON.parse(stdout))
      .map((task) => task["status"]);
    expect([...new Set(statuses)]).toEqual(["failed"]);
    expect(stderr).toBe("");
  });

  verifies("cli.tasks.get", "a task is shown with its result", async () => {
    const [started] = parseEvents(await succeed(...createTask("[[say:the result]]", "--watch", "--json")));
    const shown = await succeed("tasks", "get", z.string().parse(started?.["threadId"]));
    expect(shown).toMatch(/^status +completed$/m);
    expect(shown).toMatch(/^agent +\S.* \([\da-f-]{36}\)$/m);
    expect(shown).toMatch(/\n\nthe result\n$/);
  });
});

test("a watcher survives a crash of the service and sees every event once", async () => {
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

verifies("cli.whoami", "whoami shows the user and the workspace", async () => {
  expect(await succeed("whoami")).toMatch(/^user .*@.*\nworkspace .*\nplan .*\nservice +http:\/\/127/);
});

test("a provider's key is stored from standard input, shown by its end only, and deleted", async () => {
  const key = "sk-test-0123456789";
  expect((await musterWith({ input: `${key}\n` }, "providers", "set", "openai")).code).toBe(0);
  const listed = await succeed("providers", "list");
  expect(listed).toMatch(/^openai +…6789 /m);
  expect(listed).not.toContain(key);
  await succeed("providers", "remove", "openai");
  expect((await muster("providers", "set", "openai")).code).toBe(2);
});

verifies("cli.json", "with --json each command prints one JSON value and nothing else", async () => {
  const { id } = await readRecord("agents", "create", "--name", "Json", "--model", "demo");
  const task = await readRecord("tasks", "create", "--agent", id, "--title", "T", "--description", ENDLESS);
  for (const args of [
    ["agents", "list"],
    ["agents", "get", id],
    ["tasks", "list"],
    ["tasks", "get", task.id],
    ["tasks", "cancel", task.id],
    ["whoami"],
    ["providers", "list"],
    ["agents", "delete", id],
  ]) {
    const stdout = await succeed(...args, "--json");
    expect({ args, lines: stdout.split("\n").length }).toEqual({ args, lines: 2 });
    expect(() => JSON.parse(stdout)).not.toThrow();
  }
});

test("an empty list is a note with how to create the first, and [] for programs", async () => {
  for (const [group, hint] of [
    ["schedules", "No schedules yet. Create one: muster schedules create --help"],
    ["triggers", "No triggers yet. Create one: muster triggers create --help"],
    ["routes", "No output routes yet. Create one: muster routes create --help"],
    ["deliveries", "No deliveries in the last 30 days. Add a route for results: muster routes create --help"],
    ["hooks", "No webhook subscriptions yet. Create one: muster hooks create --help"],
    ["remote-agents", "No remote agents yet. Register one: muster remote-agents add <url>"],
    ["files", "No files yet. Upload one: muster files upload report.pdf"],
    ["runs", 'No runs yet. Start one: muster teams run <team> --input "…"'],
  ] as const) {
    expect(await muster(group, "list")).toEqual({ code: 0, stdout: "", stderr: `${hint}\n` });
    expect(await muster(group, "list", "--json")).toMatchObject({ stdout: "[]\n", stderr: "" });
  }
  expect((await muster("deliveries", "list", "--status", "failed")).stderr).toBe("No delivery matches.\n");
  expect((await muster("marketplace", "list", "--tag", "none")).stderr).toBe("No marketplace agent matches.\n");
  expect((await muster("triggers", "get", "Hook")).stderr).toBe(
    "There is no trigger yet. Create one: muster triggers create --help\n",
  );
});

describe("what goes wrong", () => {
  verifies(["cli.errors.service", "cli.exit-codes"], "the service's message and details are shown", async () => {
    const { code, stdout, stderr } = await muster("agents", "create", "--name", "", "--model", "");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Invalid body:\n {2}name must not be empty\n {2}model must not be empty\n$/);
  });

  verifies("cli.errors.unreachable", "an unreachable service's error has its URL and a remedy", async () => {
    const { code, stderr } = await muster("whoami", "--url", "http://127.0.0.1:1");
    expect(code).toBe(3);
    expect(stderr).toContain("http://127.0.0.1:1");
    expect(stderr).toMatch(/npm start.*--url/);
  });

  verifies("cli.errors.no-key", "the error for a missing or wrong key states how to set it", async () => {
    const missing = await musterWith({ env: { MUSTER_API_KEY: "" } }, "whoami");
    expect(missing.code).toBe(4);
    expect(missing.stderr).toMatch(/muster login.*MUSTER_API_KEY[^]*muster keys create/);
    const wrong = await muster("whoami", "--key", "mst_wrong");
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain("MUSTER_API_KEY");
    const otherKind = await muster("whoami", "--key", service.keys.agui);
    expect(otherKind).toMatchObject({ code: 4, stderr: expect.stringContaining("This is an AG-UI key.") });
  });

  verifies("cli.errors.unknown-command", "an unknown command or option is rejected with the known ones", async () => {
    const command = await muster("tasks", "wach", "something");
    expect(command.code).toBe(2);
    expect(command.stderr).toBe("Unknown command 'wach'. Did you mean watch?\nSee: muster tasks --help\n");
    const option = await muster("agents", "list", "--limt", "1");
    expect(option.code).toBe(2);
    expect(option.stderr).toBe("Unknown option '--limt'. Did you mean --limit?\nSee: muster agents list --help\n");
  });

  test.each([
    [["tasks", "create", "--title", "T"], "Missing --agent.\nSee: muster tasks create --help\n"],
    [["tasks", "get"], "id"],
    [["tasks", "list", "--status", "done"], "pending"],
    [["agents", "list", "--limit", "few"], "--limit"],
    [["whoami", "--url", "nonsense"], "--url"],
    [["runs", "create", "--team", "Crew"], "Missing --input.\nSee: muster runs create --help\n"],
    [["teams", "run", "Crew", "--input", "x", "--task", "x"], "Give --input or --task, not both."],
    [["agents"], "muster agents"],
  ])("%j is wrong usage", async (args, reason) => {
    const { code, stdout, stderr } = await muster(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
  });
});

test("every command has help on standard output", async () => {
  expect(await succeed("--help")).toMatch(/Work:[^]*MUSTER_API_KEY[^]*Exit codes:/);
  expect(await succeed("tasks", "create", "--help")).toMatch(
    /Usage: muster tasks create --agent .* --title[^]*Examples:/,
  );
  expect(await succeed("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe("the service in the command's own process", () => {
  async function inFolder(use: (cwd: string, env: Record<string, string>) => Promise<void>): Promise<void> {
    const database = await createDatabase();
    const cwd = await mkdtemp(join(tmpdir(), "muster-cli-"));
    await use(cwd, { DATABASE_URL: database.url, MUSTER_DATA: cwd, PORT: "0", SHUTDOWN_GRACE: "1" });
    await rm(cwd, { recursive: true });
    await database.drop();
  }

  verifies("cli.init", "init creates the first workspace with its keys, once", async () => {
    await inFolder(async (cwd, env) => {
      const made = await startMuster(["init", "--json"], { cwd, env }).ended;
      expect(JSON.parse(made.stdout)).toMatchObject({ created: true, api_key: expect.stringMatching(/^mst_/) });
      const again = await startMuster(["init", "--json"], { cwd, env }).ended;
      expect(JSON.parse(again.stdout)).toEqual({ created: false });
    });
  });

  verifies("cli.serve", "serve runs the service until it is stopped", async () => {
    await inFolder(async (cwd, env) => {
      const serving = startMuster(["serve"], { cwd, env });
      const [, url = ""] = /ready at (\S+)/.exec(await serving.prints(/ready at \S+\n/)) ?? [];
      expect((await fetch(`${url}/ag-ui/health`)).status).toBe(200);
      serving.process.kill("SIGTERM");
      expect((await serving.ended).code).toBe(0);
    });
  });
});
