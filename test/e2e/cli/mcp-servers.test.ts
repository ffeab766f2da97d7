import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { startMcpServer } from "../../support/mcp/server.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;
let folder: string;
beforeAll(async () => {
  ({ service } = await useScriptedService());
  folder = await mkdtemp(join(tmpdir(), "muster-cli-mcp-"));
});
afterAll(() => rm(folder, { recursive: true }));

verifies(
  "mcp.client.cli",
  "MCP servers on the command line",
  async () => {
    const muster = (...args: string[]) => runMuster(["mcp-servers", ...args], { env: environmentOf(service) });
    const other = await startMcpServer("stateless");
    const file = join(folder, "headers.json");
    await writeFile(file, JSON.stringify({ Authorization: "Bearer sk-0123456789" }));
    const added = await muster("add", "--name", "more", other.url, "--headers", file, "--timeout", "5");
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Registered MCP server more with 8 tools"),
    });
    expect((await muster("list")).stdout).toMatch(/more +8 +enabled/);
    expect((await muster("tools", "more")).stdout).toMatch(/mcp:more\/echo +Does echo\./);
    const tested = await muster("test", "more", "echo", "--arguments", '{"text":"hi"}');
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining("echo: hi") });
    expect((await muster("test", "more", "fail")).code).toBe(1);
    expect((await muster("disable", "more")).stdout).toContain("Disabled MCP server more");
    const shown = await muster("get", "more");
    expect(shown.stdout).toMatch(
      /headers +Authorization[\s\S]*MCP 2026-07-28 over streamable_http[\s\S]*5 s[\s\S]*disabled/,
    );
    expect(shown.stdout).not.toContain("sk-");
    expect((await muster("enable", "more")).stdout).toContain("Enabled");
    expect((await muster("update", "more")).code).toBe(2);
    expect((await muster("update", "more", "--timeout", "9")).stdout).toContain("Updated MCP server more");
    expect((await muster("refresh", "more")).stdout).toContain("more has 8 tools");
    await other.close();
    expect(await muster("refresh", "more")).toMatchObject({ code: 1, stdout: expect.stringContaining("Kept the old") });
    expect((await muster("delete", "more", "--yes")).stdout).toContain("Deleted MCP server more");
    expect((await muster("add", "--name", "bad", "http://127.0.0.1:1/")).code).toBe(1);
  },
  { tags: "slow" },
);
