import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { startMuster } from "../../support/muster.ts";
import { createDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

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
