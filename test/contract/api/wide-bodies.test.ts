import { beforeAll, expect } from "vitest";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const MANY = 400_000;
const WIDE = `[${"1,".repeat(MANY)}1]`;
const TOO_MANY = "must not contain more than 50000 values";
const TOO_MANY_IN_MESSAGE = "must not contain more than 25000 values";

let service: SharedService;

beforeAll(async () => void (service = await useSharedService()));

verifies("hardening.bodies.counted", "a body of very many values is rejected before it is parsed", async () => {
  const { keys } = service;
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"parts":${WIDE}}}}`;
  const envelope = await post("/functions/v1/api-tasks", keys.api, `{"title":"T","metadata":{"list":${WIDE}}}`);
  expect(envelope).toMatchObject({ status: 400, text: expect.stringContaining(TOO_MANY) });
  expect(await post("/a2a", keys.a2a, rpc)).toMatchObject({
    status: 200,
    text: expect.stringContaining(TOO_MANY_IN_MESSAGE),
  });
  expect(await post("/mcp", keys.mcp, rpc)).toMatchObject({
    status: 400,
    text: expect.stringContaining(TOO_MANY_IN_MESSAGE),
  });
  expect(await post("/rest/v1/agents", keys.table, WIDE)).toMatchObject({
    status: 422,
    text: expect.stringContaining(TOO_MANY),
  });
});

verifies("hardening.bodies.counted", "a list that is too long is one issue, whatever it holds", async () => {
  const parts = `[${"1,".repeat(20_000)}1]`;
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","parts":${parts}}}}`;
  const { text } = await post("/a2a", service.keys.a2a, rpc);
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain("parts");
});

verifies(
  "hardening.bodies.counted",
  "a large JSON file of many values is checked, and stored or rejected",
  async () => {
    const upload = (content: string) => {
      const form = new FormData();
      form.append("file", new File([content], "data.json", { type: "application/json" }));
      return fetch(`${service.url}/files`, { method: "POST", body: form, headers: { "X-API-Key": service.keys.api } });
    };
    expect((await upload(WIDE)).status).toBe(201);
    const broken = await upload(WIDE.slice(0, -1));
    expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining("its content is not JSON")]);
  },
);

async function post(path: string, key: string, body: string) {
  const response = await fetch(service.url + path, {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json",
      Authorization: `Bearer ${key}`,
      "X-API-Key": key,
      apikey: key,
    },
  });
  return { status: response.status, text: await response.text() };
}
