import { beforeAll, expect } from "vitest";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;
beforeAll(async () => {
  ({ service } = await useScriptedService());
});

verifies("a2a-client.cli", "remote agents on the command line", async () => {
  const muster = (...args: string[]) => runMuster(args, { env: environmentOf(service) });
  const other = await startRemoteAgent({ protocol: "0.3", name: "Painter" });
  const added = await muster("remote-agents", "add", other.url, "--token", "t");
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("Registered remote agent Painter") });
  const [, id = ""] = /\((\S+)\)/.exec(added.stdout) ?? [];
  expect((await muster("remote-agents", "list")).stdout).toMatch(/Painter +0\.3 +enabled/);
  expect((await muster("remote-agents", "disable", id)).stdout).toContain("Disabled remote agent Painter");
  expect((await muster("remote-agents", "get", id)).stdout).toMatch(/state +disabled[\s\S]*token +set/);
  expect((await muster("remote-agents", "enable", id)).stdout).toContain("Enabled");
  expect((await muster("remote-agents", "update", id)).stderr).toContain("Name at least one field to change.");
  expect((await muster("remote-agents", "refresh", id)).stdout).toContain("Fetched the card of Painter");
  await other.close();
  const failed = await muster("remote-agents", "refresh", id);
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining("Kept the old card") });
  expect((await muster("remote-agents", "delete", id, "--yes")).stdout).toContain("Deleted remote agent");
  expect((await muster("remote-agents", "add", "http://127.0.0.1:1/")).code).toBe(1);
});
