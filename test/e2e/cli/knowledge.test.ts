import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { searchResult } from "#domain/knowledge/knowledge.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { startEmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import type { EmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

let provider: EmbeddingProvider;
let service: TestService;
beforeAll(async () => {
  provider = await startEmbeddingProvider();
  service = await startService({ env: { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${provider.url}/v1` } });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  "knowledge.cli",
  "muster knowledge adds, lists, finds, reads again and deletes",
  async () => {
    const env = environmentOf(service);
    const file = join(service.folder, "ferry.md");
    await writeFile(file, "# Ferry\n\nThe last ferry leaves at eleven.\n");
    const run = (...args: string[]) => runMuster(["knowledge", ...args], { env });
    expect(await run("create", "--name", "Harbour")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Harbour"),
    });
    expect((await run("bases")).stdout).toContain("Harbour");
    expect((await run("create", "--name", "Station")).code).toBe(0);
    const several = await run("add", file);
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining("--base") });
    const added = await run("add", file, "--base", "Harbour", "--tags", "boats,night", "--name", "Timetable");
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("Added Timetable") });
    const [, id = ""] = /\(([\w-]+)\)/.exec(added.stdout) ?? [];
    expect((await run("list", "--base", "Harbour")).stdout).toMatch(/Timetable\s+ready\s+1\s+boats, night/);
    const found = await run("search", "when does the last ferry leave?", "--tags", "boats");
    expect(found.stdout).toMatch(/Timetable, Ferry \(1\.00\)\nThe last ferry leaves at eleven\./);
    const json = searchResult.parse(JSON.parse((await run("search", "ferry", "--base", "Harbour", "--json")).stdout));
    expect(json.results).toHaveLength(1);
    expect(await run("reprocess", id)).toMatchObject({ code: 0, stdout: expect.stringMatching(/: 1 passage$/m) });
    await writeFile(file, "");
    expect(await run("add", file, "--base", "Harbour")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("empty"),
    });
    expect(await run("delete", id, "--yes")).toMatchObject({ code: 0, stdout: `Deleted document ${id}\n` });
    expect((await run("search", "ferry", "--base", "Harbour")).stderr).toContain("Nothing was found");
  },
  { tags: "slow" },
);
