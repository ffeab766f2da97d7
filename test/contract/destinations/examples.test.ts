import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { DESTINATIONS } from "#destinations/gen/registry.ts";
import { secretFields } from "#domain/destinations/destination-form.ts";
import { pagePath } from "../../../scripts/destinations-page.ts";
import { consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { deliveriesOver } from "../../support/destinations/deliveries.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../../..");
const route = z.strictObject({ name: z.string(), type: z.string(), config: z.record(z.string(), z.unknown()) });

let vendor: FakeServer;
let replyTo: (request: SeenRequest) => unknown = () => ({ ok: true });
let service: TestService;
let console_: Api;

beforeAll(async () => {
  vendor = await startFakeServer((request, response) => answerJson(response, replyTo(request)));
  const settings = DESTINATIONS.flatMap((one) => (one.vendor === undefined ? [] : [one.vendor.setting]));
  service = await startService({ env: Object.fromEntries(settings.map((name) => [name, vendor.url])) });
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await vendor.close();
});

/** The route that the page of a destination says to create. */
async function exampleOf(destination: (typeof DESTINATIONS)[number]) {
  const page = await readFile(join(ROOT, pagePath(destination)), "utf8");
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  return route.parse(JSON.parse(json));
}

for (const destination of DESTINATIONS) {
  const { type, vendor: api, account } = destination;
  verifies("destinations.docs", `the example on the page of ${type} is a route with every field`, async () => {
    const example = await exampleOf(destination);
    expect(Object.keys(example.config).toSorted()).toEqual(Object.keys(destination.config.shape).toSorted());
    const made = await console_.post("/routes", example);
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    for (const name of secretFields(destination)) expect(made.text).not.toContain(String(example.config[name]));

    // Where a fake vendor can take its place, it is used as well.
    if (api === undefined || account !== null) return;
    replyTo = (request) => SAMPLES[type]?.reply?.(request) ?? { ok: true };
    const id = String(fieldsOf(made)["id"]);
    await console_.post(`/routes/${id}/test`, {});
    expect(await deliveriesOver(console_, id)).toMatchObject([{ status: "success", error: null }]);
  });
}

test("every destination has its page on the list", async () => {
  const list = await readFile(join(ROOT, "docs/destinations.md"), "utf8");
  for (const destination of DESTINATIONS) expect(list).toContain(`(${pagePath(destination).replace("docs/", "")})`);
});
