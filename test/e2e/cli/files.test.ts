import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, fieldsOf } from "../../support/api.ts";
import { environmentOf, runMuster, startMuster } from "../../support/muster.ts";
import type { Ended } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { musterInTerminal } from "../../support/clients/terminal.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;
let folder: string;

beforeAll(async () => {
  [service, folder] = await Promise.all([useSharedService(), mkdtemp(join(tmpdir(), "muster-cli-files-"))]);
  await writeFile(join(folder, "notes.md"), "# Notes\n");
  await writeFile(join(folder, "data.csv"), "a,b\n");
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function muster(...args: readonly string[]): Promise<Ended> {
  return runMuster(args, { env: environmentOf(service) });
}

async function succeed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await muster(...args);
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

verifies("cli.files", "files are uploaded, listed, fetched and deleted", async () => {
  const said = await succeed("files", "upload", join(folder, "notes.md"));
  const [, id = ""] = /^Uploaded notes\.md \(text\/markdown, 8 bytes\) as (\S+)$/m.exec(said) ?? [];
  const [headings, line] = (await succeed("files", "list")).split("\n");
  expect(headings).toMatch(/^ID +NAME +TYPE +BYTES +DIRECTION +OF +CREATED$/);
  expect(line).toMatch(new RegExp(`^${id} +notes\\.md +text/markdown +8 +input`));
  expect(await succeed("files", "get", id, "--file", "-")).toBe("# Notes\n");
  const copy = join(folder, "copy.md");
  await succeed("files", "get", id, "--file", copy);
  expect(await readFile(copy, "utf8")).toBe("# Notes\n");
  const again = await muster("files", "get", id, "--file", copy);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("already exists")]);
  expect(await succeed("files", "delete", id, "--yes")).toBe(`Deleted file ${id}\n`);
  expect((await muster("files", "get", id)).code).toBe(1);
  const missing = await muster("files", "upload", join(folder, "nothing"));
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("Cannot read")]);
});

verifies(
  "cli.progress",
  "without a terminal nothing of a bar is written",
  async () => {
    const large = join(folder, "large.md");
    await writeFile(large, "A line of text.\n".repeat(20_000));
    await succeed("knowledge", "create", "--name", "Handbook");
    for (const args of [
      ["files", "upload", large],
      ["knowledge", "add", large, "--base", "Handbook"],
    ]) {
      const { code, stdout, stderr } = await startMuster(args, { env: environmentOf(service) }).ended;
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
      expect(stdout).toMatch(/^(Uploaded|Added) large\.md .+\n$/);
      expect(stdout).not.toMatch(/[█░%]/);
    }
  },
  { tags: "slow" },
);

verifies(
  "cli.progress",
  "on a terminal an upload shows a bar, which its last line replaces",
  async () => {
    const large = join(folder, "larger.md");
    await writeFile(large, "A line of text.\n".repeat(200_000));
    const shown = musterInTerminal(["files", "upload", large], { env: { ...environmentOf(service), HOME: folder } });
    expect(await shown.ended).toBe(0);
    expect(shown.raw()).toMatch(/Uploading [█░]+ \d+ %/);
    expect(shown.raw()).toMatch(/\[K[^]*Uploaded larger\.md/);
  },
  { tags: "slow" },
);

verifies("cli.files", "tasks and runs are created with files", async () => {
  const api = apiOf(service, service.keys.api);
  const agent = await createAgent(api);
  const team = await createTeam(api);
  const paths = `${join(folder, "notes.md")},${join(folder, "data.csv")}`;
  const names = [{ name: "notes.md" }, { name: "data.csv" }];
  const given = ["--attach", paths, "--json"];
  const task = fieldsOf(asAnswer(await succeed("tasks", "create", "--agent", agent.id, "--title", "Read", ...given)));
  expect(fieldsOf(await api.get(`/api-tasks?id=${String(task["id"])}`))["attachments"]).toMatchObject(names);
  const run = fieldsOf(asAnswer(await succeed("teams", "run", team.id, "--input", "Read", ...given)));
  expect(run["attachments"]).toMatchObject(names);
  const other = fieldsOf(asAnswer(await succeed("runs", "create", "--team", team.id, "--task", "Read", ...given)));
  expect(other["attachments"]).toMatchObject(names);
});

function asAnswer(text: string) {
  return { status: 200, headers: new Headers(), text, body: JSON.parse(text) };
}
