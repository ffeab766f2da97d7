import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { readDescription } from "../../support/checks/description.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../../support/a2a/remote-agent.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, sql } from "../../support/workspace.ts";

let service: SharedService;
let guarded: SharedService;
let settings: Api;
let remote: RemoteAgent;

beforeAll(async () => {
  remote = await startRemoteAgent({ protocol: "1.0", name: "Translator" });
  ({ service } = await useScriptedService());
  guarded = await useSharedService();
  settings = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await remote.close();
});

verifies(
  ["a2a-client.register", "a2a-client.refresh", "a2a-client.enable-disable", "a2a-client.delete"],
  "a remote agent is registered, refreshed, disabled, enabled and deleted; its token is never shown",
  async () => {
    const made = await settings.post("/remote-agents", { base_url: `${remote.url}/`, token: "t0p-s3cret" });
    expect(made).toMatchObject({ status: 201, body: { name: "Translator", version: "2.1", protocol_version: "1.0" } });
    const record = Object(made.body);
    expect(record).toMatchObject({ base_url: remote.url, is_enabled: true, has_token: true, card_error: null });
    expect(record).toMatchObject({ description: "Does things.", skills: [{ id: "s", name: "Everything" }] });
    const path = `/remote-agents/${record["id"]}`;
    expect((await settings.get("/remote-agents")).body).toEqual([record]);
    expect((await settings.get(path)).body).toEqual(record);
    expect((await settings.get(path)).text).not.toContain("t0p-s3cret");
    const stored = "select row_to_json(r)::text as text from remote_agents r where id = $1";
    const [row] = await sql(service.databaseUrl, stored, [record["id"]]);
    expect(String(row?.["text"])).not.toContain("t0p-s3cret");

    expect(refusal(await settings.post("/remote-agents", { base_url: remote.url })).status).toBe(409);
    expect((await settings.patch(path, { is_enabled: false })).body).toMatchObject({ is_enabled: false });
    expect((await settings.patch(path, { token: null })).body).toMatchObject({ has_token: false, is_enabled: false });
    expect((await settings.patch(path, { is_enabled: true })).body).toMatchObject({ is_enabled: true });
    const cards = remote.seen.length;
    const refreshed = await settings.post(`${path}/refresh`, undefined);
    expect(refreshed).toMatchObject({ status: 200, body: { name: "Translator", card_error: null } });
    expect(remote.seen.length).toBe(cards + 1);
    expect((await settings.delete(path)).status).toBe(204);
    for (const gone of [settings.get(path), settings.patch(path, {}), settings.post(`${path}/refresh`, undefined)]) {
      expect((await gone).status).toBe(404);
    }
    expect((await settings.delete(path)).status).toBe(404);
  },
);

verifies("a2a-client.refresh", "a card that cannot be fetched again stays, and the record says why", async () => {
  const short = await startRemoteAgent({ protocol: "0.3", name: "Gone soon" });
  const made = await settings.post("/remote-agents", { base_url: short.url });
  await short.close();
  const refreshed = await settings.post(`/remote-agents/${Object(made.body)["id"]}/refresh`, undefined);
  expect(refreshed.body).toMatchObject({ name: "Gone soon", card_error: expect.stringContaining("cannot be reached") });
});

verifies(
  "a2a-client.bad-cards",
  "a card that is missing, endless or names no endpoint is rejected with the reason",
  async () => {
    const cards: Record<string, unknown> = {
      "/none": undefined,
      "/text": "no card",
      "/list": [],
      "/nowhere": { name: "X" },
      "/grpc": { name: "X", url: "http://127.0.0.1/", preferredTransport: "GRPC" },
      "/bad": { name: "X", url: "http://[" },
      "/elsewhere": { name: "X", url: "https://elsewhere.example/rpc" },
    };
    const server = await startFakeServer(({ path }, response) => {
      const base = path.replace(/\/\.well-known.*$/, "");
      if (base === "/endless") {
        const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
        response.once("close", () => clearInterval(timer));
        return;
      }
      const card = cards[base];
      answerJson(response, card ?? { error: "not found" }, card === undefined ? 404 : 200);
    });
    const reasons = {
      "/none": "HTTP 404",
      "/text": "no card at all",
      "/list": "no card at all",
      "/nowhere": "no endpoint for JSON-RPC",
      "/grpc": "no endpoint for JSON-RPC",
      "/bad": "not a URL",
      "/elsewhere": "The token is not sent to https://elsewhere.example",
      "/endless": "more than 256 KiB",
    };
    for (const [path, reason] of Object.entries(reasons)) {
      const answer = refusal(await settings.post("/remote-agents", { base_url: server.url + path, token: "t" }));
      expect(answer).toMatchObject({ status: 400, paths: ["base_url"], message: expect.stringContaining(reason) });
    }
    await server.close();
    for (const body of [
      {},
      { base_url: "x" },
      { base_url: "ftp://x.example" },
      { base_url: remote.url, token: "a b" },
    ]) {
      expect(refusal(await settings.post("/remote-agents", body)).status).toBe(400);
    }
  },
);

verifies("a2a-client.guarded", "a card in a private network is not fetched unless the operator allows it", async () => {
  const own = consoleOf(guarded, guarded.keys.api);
  for (const base_url of [
    remote.url,
    "http://169.254.169.254",
    remote.url.replace("127.0.0.1", "localhost"),
    "http://[::1]/a2a",
  ]) {
    const answer = refusal(await own.post("/remote-agents", { base_url }));
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining("is rejected") });
  }
});

verifies("envelope.openapi.describes-answers", "remote agents are as the document says", async () => {
  const { checked } = await readDescription(service);
  const list = "/console/api/remote-agents";
  const made = await checked("POST", list, { body: { base_url: remote.url } });
  const [one, at] = [`${list}/{id}`, `${list}/${Object(made.body)["id"]}`];
  const statuses = [
    made,
    await checked("POST", list, { body: { base_url: "x" } }),
    await checked("POST", list, { body: { base_url: remote.url } }),
    await checked("GET", list),
    await checked("GET", one, { at }),
    await checked("PATCH", one, { at, body: { is_enabled: false } }),
    await checked("POST", `${one}/refresh`, { at: `${at}/refresh` }),
    await checked("DELETE", one, { at }),
    await checked("GET", one, { at }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 400, 409, 200, 200, 200, 200, 204, 404]);
});

verifies("a2a-client.table", "the table API shows remote agents, and nothing of their tokens", async () => {
  const made = await settings.post("/remote-agents", { base_url: remote.url, token: "t0p-s3cret" });
  const { id } = Object(made.body);
  const headers = { apikey: service.keys.anon, authorization: `Bearer ${service.keys.table}` };
  const listed = await send("GET", `${service.url}/rest/v1/remote_agents?id=eq.${id}`, { headers });
  expect(listed.body).toMatchObject([{ id, name: "Translator", base_url: remote.url, is_enabled: true }]);
  expect(listed.text).not.toContain("s3cret");
  const secret = await send("GET", `${service.url}/rest/v1/remote_agents?select=token_ciphertext`, { headers });
  expect(secret.status).toBe(400);
  await settings.delete(`/remote-agents/${id}`);
});

verifies("a2a-client.admins", "members see remote agents, and admins manage them", async () => {
  const made = await settings.post("/remote-agents", { base_url: remote.url });
  const path = `/remote-agents/${Object(made.body)["id"]}`;
  const member = await addMember(service.databaseUrl, String(Object(made.body)["workspace_id"]), "member");
  const asMember = consoleOf(service, member.key);
  expect((await asMember.get(path)).status).toBe(200);
  expect(refusal(await asMember.post("/remote-agents", { base_url: remote.url })).status).toBe(403);
  expect(refusal(await asMember.patch(path, { is_enabled: false })).status).toBe(403);
  expect(refusal(await asMember.delete(path)).status).toBe(403);
  await settings.delete(path);
});
