import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
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
  const rest = `{"message":{"parts":${WIDE}}}`;
  expect(await post(`/a2a/${newId()}/message:send`, keys.a2a, rest)).toMatchObject({
    status: 400,
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

verifies("hardening.bodies.counted", "the values of CSV are counted as they are read", async () => {
  const headers = {
    "Content-Type": "text/csv",
    Authorization: `Bearer ${service.keys.table}`,
    apikey: service.keys.anon,
  };
  const body = `title,description\n${"a,b\n".repeat(200_000)}`;
  const response = await fetch(`${service.url}/rest/v1/tasks`, { method: "POST", headers, body });
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ code: "PGRST102", details: "A body must not contain more than 50000 values." }),
  ]);
});

verifies("hardening.bodies.counted", "integers that a number cannot hold count twice", async () => {
  const long = `[${"12345678901234567890,".repeat(25_000)}1]`;
  const { keys } = service;
  const expected = `${TOO_MANY_IN_MESSAGE} if there are integers of 16 digits or more`;
  const envelope = await post("/functions/v1/api-tasks", keys.api, `{"title":"T","metadata":{"list":${long}}}`);
  expect(envelope).toMatchObject({ status: 400, text: expect.stringContaining(expected) });
  const row = `{"title":"T","metadata":{"list":${long}}}`;
  expect(await post("/rest/v1/tasks", keys.table, row)).toMatchObject({
    status: 422,
    text: expect.stringContaining(expected),
  });
});

verifies("hardening.bodies.counted", "too many parts of one message are one issue, whatever they hold", async () => {
  const body = `{"model":"demo","messages":[{"role":"user","content":[${"1,".repeat(20_000)}1]}]}`;
  const { status, text } = await post("/v1/chat/completions", service.keys.api, body);
  expect([status, text.length < 20_000, text]).toEqual([400, true, expect.stringContaining("at most 1000 parts")]);
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

verifies(
  "hardening.bodies.counted",
  "a form of too many parts, or of a part with long headers, is rejected",
  async () => {
    const part = (header: string) => `--b\r\nContent-Disposition: form-data; name="f"${header}\r\n\r\nx\r\n`;
    const upload = (path: string, body: string) =>
      fetch(service.url + path, {
        method: "POST",
        body: `${body}--b--\r\n`,
        headers: { "Content-Type": "multipart/form-data; boundary=b", "X-API-Key": service.keys.api },
      }).then(async (response) => [response.status, await response.text()]);
    for (const path of ["/files", "/console/api/knowledge/uploads"]) {
      const many = await upload(path, part("").repeat(200));
      expect(many).toEqual([400, expect.stringContaining("The form must not have more than 100 fields.")]);
      const long = await upload(path, part("\r\na: b".repeat(10_000)));
      expect(long).toEqual([400, expect.stringContaining("a part with more than 16384 bytes of headers")]);
    }
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
