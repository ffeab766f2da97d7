import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;
beforeAll(async () => {
  service = await useSharedService();
});

const CONFIG = JSON.stringify({ bot_token: "123456:ABC-DEF", secret_token: "a-secret-token-of-ours" });

function muster(...args: string[]) {
  return runMuster(["routes", ...args], { env: environmentOf(service), input: CONFIG });
}

verifies("channels.talk.route", "muster routes shows and changes who may talk to an agent", async () => {
  await createAgent(apiOf(service, service.keys.api), { name: "Concierge" });
  const bot = ["--kind", "agent", "--type", "telegram", "--config", "-", "--agent", "Concierge"];
  expect((await muster("create", "--name", "Bot", ...bot, "--allow", "1001")).code).toBe(0);
  const changed = await muster("update", "Bot", "--allow", "1001, 1002", "--per-minute", "3");
  expect(changed.stdout).toMatch(/^Updated output route Bot \(/);
  const { stdout } = await muster("get", "Bot");
  expect(stdout).toMatch(/kind +agent/);
  expect(stdout).toMatch(/per minute +3/);
  expect(stdout).toMatch(/allowed +1001, 1002/);
  const open = await muster("update", "Bot", "--allow", "none");
  expect([open.code === 0, open.stderr]).toEqual([false, expect.stringContaining("everybody on Telegram may talk")]);
  expect((await muster("list")).stdout).toMatch(/Bot +agent +telegram/);
});
