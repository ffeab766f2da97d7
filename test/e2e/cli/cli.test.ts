import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openCli, printedRecord } from "../../support/cli.ts";
import type { TestCli } from "../../support/cli.ts";
import { verifies } from "../../support/verifies.ts";

/** Long enough for whatever a test does meanwhile. */
const ENDLESS = "[[slow:100]] [[words:5000]]";

let cli: TestCli;

beforeAll(async () => {
  cli = await openCli();
});

describe("agents", () => {
  verifies(["cli.agents.create", "cli.agents.list"], "a created agent is listed", async () => {
    const { id } = await cli.readRecord("agents", "create", "--name", "Lister", "--model", "demo");
    const lines = (await cli.succeed("agents", "list")).split("\n");
    expect(lines[0]).toMatch(/^ID +NAME +MODEL +STATUS$/);
    expect(lines.find((line) => line.startsWith(id))).toMatch(/ Lister +demo +idle$/);
  });

  verifies("cli.missing-key", "an agent whose provider has no key is created, with what to add", async () => {
    const add = "The model gpt-4o cannot be called yet. No API key for OpenAI. Add one to the workspace with";
    const made = await cli.muster("agents", "create", "--name", "Keyless", "--model", "gpt-4o");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(add)]);
    expect((await cli.muster("agents", "get", "Keyless")).stderr).toContain(add);
    const later = ["--title", "T", "--at", "2999-01-01T00:00:00Z"];
    expect((await cli.muster("tasks", "create", "--agent", "Keyless", ...later)).stderr).toContain(add);
    expect((await cli.muster("agents", "update", "Keyless", "--description", "x")).stderr).toContain(add);
    const changed = await cli.muster("agents", "update", "Keyless", "--model", "demo");
    expect(changed).toMatchObject({ code: 0, stderr: "" });
    const run = await cli.muster("tasks", "create", "--agent", "Keyless", "--title", "T", "--watch");
    expect(run.code).toBe(0);
  });

  verifies(
    "cli.deletes.need-yes",
    "an agent is shown and deleted by its name, without a terminal with --yes",
    async () => {
      const { id } = await cli.readRecord("agents", "create", "--name", "To go", "--model", "demo");
      expect(await cli.succeed("agents", "get", "To go")).toContain(id);
      const asked = await cli.muster("agents", "delete", "To go");
      expect(asked).toMatchObject({ code: 2, stdout: "" });
      expect(asked.stderr).toContain("Nothing was changed: without a terminal, add --yes.");
      expect(await cli.succeed("agents", "delete", "To go", "--yes")).toContain(id);
      expect((await cli.muster("agents", "get", id)).code).toBe(1);
    },
  );

  test("an unknown name is rejected with the names, an ambiguous one with the ids", async () => {
    const unknown = await cli.muster("agents", "get", "Writr");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain('Did you mean "Writer"?');
    const one = await cli.readRecord("agents", "create", "--name", "Twin", "--model", "demo");
    const two = await cli.readRecord("agents", "create", "--name", "Twin", "--model", "demo");
    const ambiguous = await cli.muster("tasks", "create", "--agent", "Twin", "--title", "T");
    expect(ambiguous.code).toBe(2);
    expect(ambiguous.stderr).toContain(one.id);
    expect(ambiguous.stderr).toContain(two.id);
  });

  test("a list longer than a page is read to its end, each row once", { tags: "slow" }, async () => {
    const headers = { "X-API-Key": cli.service.keys.api, "Content-Type": "application/json" };
    for (let row = 0; row < 205; row++) {
      const body = JSON.stringify({ name: `Row ${row}`, model: "demo" });
      await fetch(`${cli.service.url}/functions/v1/api-agents`, { method: "POST", headers, body });
    }
    const listed = z
      .array(printedRecord)
      .parse(JSON.parse(await cli.succeed("agents", "list", "--limit", "203", "--json")));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(203);
  });
});

verifies("cli.whoami", "whoami shows the user and the workspace", async () => {
  expect(await cli.succeed("whoami")).toMatch(/^user .*@.*\nworkspace .*\nplan .*\nservice +http:\/\/127/);
});

test("a provider's key is stored from standard input, shown by its end only, and deleted", async () => {
  const key = "sk-test-0123456789";
  expect((await cli.musterWith({ input: `${key}\n` }, "providers", "set", "openai")).code).toBe(0);
  const listed = await cli.succeed("providers", "list");
  expect(listed).toMatch(/^openai +…6789 /m);
  expect(listed).not.toContain(key);
  await cli.succeed("providers", "remove", "openai");
  expect((await cli.muster("providers", "set", "openai")).code).toBe(2);
});

verifies("cli.providers.fields", "a connection to a cloud has its region, and its key may be a file", async () => {
  const account = {
    type: "service_account",
    project_id: "project-7",
    private_key_id: "0123abcd",
    private_key: "-----BEGIN PRIVATE KEY-----\nof-the-test\n-----END PRIVATE KEY-----\n",
    client_email: "muster@project-7.iam.gserviceaccount.com",
  };
  const set = (input: string, ...args: readonly string[]) => cli.musterWith({ input }, "providers", "set", ...args);
  const file = JSON.stringify(account, null, 2);
  expect((await set(file, "google-vertex", "--region", "europe-west4")).code).toBe(0);
  expect(await cli.succeed("providers", "list")).toMatch(/^google-vertex +…abcd +europe-west4 /m);
  const wrong = await set("a-key", "amazon-bedrock", "--resource", "mine");
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("is not a field of Amazon Bedrock")]);
  await cli.succeed("providers", "remove", "google-vertex");
});

verifies("cli.json", "with --json each command prints one JSON value and nothing else", async () => {
  const { id } = await cli.readRecord("agents", "create", "--name", "Json", "--model", "demo");
  const task = await cli.readRecord("tasks", "create", "--agent", id, "--title", "T", "--description", ENDLESS);
  for (const args of [
    ["agents", "list"],
    ["agents", "get", id],
    ["tasks", "list"],
    ["tasks", "get", task.id],
    ["tasks", "cancel", task.id],
    ["whoami"],
    ["providers", "list"],
    ["agents", "delete", id, "--yes"],
  ]) {
    const stdout = await cli.succeed(...args, "--json");
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
    expect(await cli.muster(group, "list")).toEqual({ code: 0, stdout: "", stderr: `${hint}\n` });
    expect(await cli.muster(group, "list", "--json")).toMatchObject({ stdout: "[]\n", stderr: "" });
  }
  expect((await cli.muster("deliveries", "list", "--status", "failed")).stderr).toBe("No delivery matches.\n");
  expect((await cli.muster("marketplace", "list", "--tag", "none")).stderr).toBe("No marketplace agent matches.\n");
  expect((await cli.muster("triggers", "get", "Hook")).stderr).toBe(
    "There is no trigger yet. Create one: muster triggers create --help\n",
  );
});

describe("what goes wrong", () => {
  verifies(["cli.errors.service", "cli.exit-codes"], "the service's message and details are shown", async () => {
    const { code, stdout, stderr } = await cli.muster("agents", "create", "--name", "", "--model", "");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Invalid body:\n {2}name must not be empty\n {2}model must not be empty\n$/);
  });

  verifies("cli.errors.unreachable", "an unreachable service's error has its URL and a remedy", async () => {
    const { code, stderr } = await cli.muster("whoami", "--url", "http://127.0.0.1:1");
    expect(code).toBe(3);
    expect(stderr).toContain("http://127.0.0.1:1");
    expect(stderr).toMatch(/npm start.*--url/);
  });

  verifies("cli.errors.no-key", "the error for a missing or wrong key states how to set it", async () => {
    const missing = await cli.musterWith({ env: { MUSTER_API_KEY: "" } }, "whoami");
    expect(missing.code).toBe(4);
    expect(missing.stderr).toMatch(/muster login.*MUSTER_API_KEY[^]*muster keys create/);
    const wrong = await cli.muster("whoami", "--key", "mst_wrong");
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain("MUSTER_API_KEY");
    const otherKind = await cli.muster("whoami", "--key", cli.service.keys.agui);
    expect(otherKind).toMatchObject({ code: 4, stderr: expect.stringContaining("This is an AG-UI key.") });
  });

  verifies("cli.errors.unknown-command", "an unknown command or option is rejected with the known ones", async () => {
    const command = await cli.muster("tasks", "wach", "something");
    expect(command.code).toBe(2);
    expect(command.stderr).toBe("Unknown command 'wach'. Did you mean watch?\nSee: muster tasks --help\n");
    const option = await cli.muster("agents", "list", "--limt", "1");
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
    const { code, stdout, stderr } = await cli.muster(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
  });
});

test("every command has help on standard output", async () => {
  expect(await cli.succeed("--help")).toMatch(/Work:[^]*MUSTER_API_KEY[^]*Exit codes:/);
  expect(await cli.succeed("tasks", "create", "--help")).toMatch(
    /Usage: muster tasks create --agent .* --title[^]*Examples:/,
  );
  expect(await cli.succeed("--version")).toMatch(/^\d+\.\d+\.\d+(?:\+[\da-f]{7})?\n$/);
});
