import { afterAll, beforeAll, expect } from "vitest";
import { DELIVERY_ID, PAYLOAD } from "../../support/destinations/deliver.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import { BODY, LONG, openVendorScene } from "../../support/destinations/vendor-scene.ts";
import type { VendorScene } from "../../support/destinations/vendor-scene.ts";
import { verifies } from "../../support/verifies.ts";

let scene: VendorScene;

beforeAll(async () => {
  scene = await openVendorScene();
});
afterAll(() => scene.close());

verifies(["destinations.http", "routes.payload.identical"], "http posts the payload as it is", async () => {
  const { method, path, headers, body } = await scene.requestOf("http", { payload: LONG });
  expect([method, path, headers["content-type"]]).toEqual(["POST", "/results", "application/json"]);
  expect(JSON.parse(body)).toEqual(LONG);
});

verifies(
  ["destinations.email", "destinations.subject-template"],
  "email sends to every address with the subject of the template, once however often it is tried",
  async () => {
    const { path, headers, body } = await scene.requestOf("email");
    expect([path, headers["authorization"], headers["idempotency-key"]]).toEqual([
      "/emails",
      "Bearer resend-secret-key",
      DELIVERY_ID,
    ]);
    expect(JSON.parse(body)).toMatchObject({
      from: "Muster <muster@example.com>",
      to: ["ada@example.com", "Bob.B@example.org"],
      subject: "Writer: Weekly report is completed",
      text: BODY,
    });
    const { subject_template: _, ...plain } = SAMPLES["email"]?.config("") ?? {};
    const title = "<b>{{status}}</b>\nof\tmine";
    const other = await scene.requestOf("email", { config: plain, payload: { ...PAYLOAD, task_title: title } });
    expect(JSON.parse(other.body)).toMatchObject({ subject: "[Service] <b>{{status}}</b> of mine — completed" });
    expect(other.body).toContain("&lt;b&gt;");
  },
);

verifies(
  "routes.vendor-bases",
  "a setting replaces the base URL of a vendor, and the origin of its webhooks",
  async () => {
    const config = { webhook_url: "https://hooks.slack.com/services/T0/B0/x?a=b" };
    const settings = { vendorBases: { SLACK_API_BASE: `${scene.server.url}/proxy` }, reach: "public" } as const;
    const { path } = await scene.requestOf("slack", { config, settings });
    expect(path).toBe("/proxy/services/T0/B0/x?a=b");
  },
);
