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

const muster = (...args: string[]) => runMuster(["pages", ...args], { env: environmentOf(service) });

verifies("agent-pages.cli", "muster pages makes, shows and switches the page of an agent", async () => {
  await createAgent(apiOf(service, service.keys.api), { name: "Clerk" });
  const fields = ["--slug", "ask-the-clerk", "--title", "The clerk", "--usd-day", "2", "--prompts", "One?,Two?"];
  const made = await muster("create", "--agent", "Clerk", ...fields);
  expect([made.code, made.stdout.trim()]).toEqual([0, `${service.url}/p/ask-the-clerk`]);
  expect(made.stderr).toMatch(/It is off: muster pages on/);
  const on = await muster("on", "The clerk");
  expect(on.stdout).toMatch(/is on: http/);
  const shown = await muster("get", "The clerk");
  expect(shown.stdout).toMatch(/today +\$0 of \$2\.00/);
  const wrong = await muster("update", "The clerk", "--slug", "admin");
  expect([wrong.code === 0, wrong.stderr]).toEqual([false, expect.stringContaining("is reserved")]);
});
