import { afterAll, beforeAll, expect, test } from "vitest";
import { consoleOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, sql } from "../../support/workspace.ts";

let service: TestService;
let receiver: Receiver;
let console_: Api;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", DELIVERY_TIMEOUT: "3" } });
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

let paths = 0;
/** A path of the receiver for one test. */
const newPath = () => `/r${(paths += 1)}`;

verifies("routes.manage.send-test", "a test can be sent by any route and is logged like a delivery", async () => {
  const path = newPath();
  const { id } = await createRoute(console_, receiver.url + path, { is_active: false });
  const answer = await console_.post(`/routes/${id}/test`, {});
  expect(answer.status).toBe(201);
  expect(fieldsOf(answer)).toMatchObject({ is_test: true, status: "pending", route_id: id });
  expect(await deliveriesOver(console_, id)).toMatchObject([{ status: "success", is_test: true }]);
  expect(receiver.received(path)).toMatchObject([
    { event: "task.completed", task_title: "Test delivery", task_id: null },
  ]);
});

verifies("routes.manage.console-api", "routes are created, listed, read, changed and deleted", async () => {
  const created = await createRoute(console_, "https://example.com/a", { name: "A", events: ["task.failed"] });
  expect(created).toMatchObject({
    name: "A",
    type: "http",
    events: ["task.failed"],
    is_active: true,
    health: "healthy",
  });
  expect(idsOf(await console_.get("/routes?limit=1"))).toEqual([created.id]);
  const patch = { name: "B", is_active: false, config: { url: "https://example.com/b" }, retry_delays: [1, 2] };
  expect(fieldsOf(await console_.patch(`/routes/${created.id}`, patch))).toMatchObject(patch);
  expect(fieldsOf(await console_.get(`/routes/${created.id}`))).toMatchObject(patch);
  expect((await console_.delete(`/routes/${created.id}`)).status).toBe(204);
  expect((await console_.get(`/routes/${created.id}`)).status).toBe(404);
  expect((await console_.delete(`/routes/${created.id}`)).status).toBe(404);

  const { key } = await addMember(service.databaseUrl, String(created["workspace_id"]), "member");
  const member = consoleOf(service, key);
  expect(
    (await member.post("/routes", { name: "C", type: "http", config: { url: "https://example.com" } })).status,
  ).toBe(403);
  expect((await member.get("/routes")).status).toBe(200);
});

verifies("routes.manage.config-validated", "a configuration is checked by its type, with paths", async () => {
  const issuesOf = async (body: object) => refusal(await console_.post("/routes", { name: "X", ...body }));
  expect(await issuesOf({ type: "fax" })).toMatchObject({
    status: 400,
    paths: ["type"],
    message: expect.stringContaining("google_sheets"),
  });
  expect(await issuesOf({ type: "trello", config: { nonsense: 1 } })).toMatchObject({
    status: 400,
    paths: ["config.api_key", "config.token", "config.board_id", "config.default_list_id", "config.nonsense"],
  });
  for (const url of [
    "http://10.0.0.1/",
    "http://example.com/",
    "https://169.254.169.254/",
    "https://a:b@example.com/",
    "https://example.com:25/",
    "http://127.0.0.1:9/",
  ]) {
    expect(await issuesOf({ type: "http", config: { url } }), url).toMatchObject({
      status: 400,
      paths: ["config.url"],
    });
  }
  const mail = { username: "u", password: "p", from_email: "a@b.de", to_emails: "a@b.de", smtp_port: 587 };
  expect(await issuesOf({ type: "smtp", config: { ...mail, smtp_host: "169.254.169.254" } })).toMatchObject({
    paths: ["config.smtp_host"],
  });
  expect(await issuesOf({ type: "http", config: { url: "https://x.de" }, events: ["task.started"] })).toMatchObject({
    status: 400,
    paths: ["events.0"],
  });
});

test("the issues of a configuration are sentences", async () => {
  const messageOf = async (type: string, config: object) =>
    refusal(await console_.post("/routes", { name: "X", type, config })).message;
  expect(await messageOf("telegram", {})).toContain("config.bot_token is required; config.chat_id is required");
  expect(await messageOf("telegram", { bot_token: 1, chat_id: "@results" })).toContain("config.bot_token must be text");
  expect(await messageOf("http", { url: "https://example.com:25/" })).toContain("Port 25 is rejected");
});

test("a secret of Standard Webhooks must be one that receivers can verify with", async () => {
  const statusOf = async (secret: string) =>
    (await console_.post("/routes", { name: "X", type: "http", config: { url: receiver.url, secret } })).status;
  const base64 = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
  for (const secret of ["whsec_", "whsec_a signing secret", "whsec_abc", base64(23), base64(65)]) {
    expect(await statusOf(secret), secret).toBe(400);
  }
  for (const secret of [base64(24), base64(25), base64(64), "a whsec_ elsewhere"]) {
    expect(await statusOf(secret), secret).toBe(201);
  }
});

verifies(
  ["routes.secrets.encrypted", "routes.secrets.never-returned"],
  "secrets are encrypted, shown by their last four characters, and kept when sent back masked",
  async () => {
    const sample = SAMPLES["trello"]?.config("") ?? {};
    const { id, config } = await createRoute(console_, "", { type: "trello", config: sample });
    const shown = { ...sample, api_key: "••••-key", token: "••••oken" };
    expect(config).toEqual(shown);
    const rows = await sql(service.databaseUrl, "select to_json(r)::text as row from output_routes r where id = $1", [
      id,
    ]);
    expect(JSON.stringify(rows)).not.toContain("trello-secret");
    expect(JSON.stringify(rows)).toContain("secrets_ciphertext");

    const changed = { ...shown, token: "another-secret-token", default_list_id: "list9" };
    const answer = await console_.patch(`/routes/${id}`, { config: changed });
    expect(fieldsOf(answer)["config"]).toEqual({ ...changed, token: "••••oken" });
    expect(answer.text).not.toContain("another-secret");

    const copied = await console_.post("/routes", { name: "Copy", type: "trello", config });
    expect(refusal(copied)).toMatchObject({ status: 400, paths: ["config.api_key", "config.token"] });
    const stale = await console_.patch(`/routes/${id}`, { config: { ...shown, api_key: "••••-old" } });
    expect(refusal(stale)).toMatchObject({
      status: 400,
      paths: ["config.api_key"],
      message: expect.stringContaining("send the secret itself"),
    });
  },
);

test("types are listed with forms in JSON Schema", async () => {
  const types = listOf(await console_.get("/route-types"));
  expect(types).toHaveLength(16);
  expect(types.find(({ type }) => type === "telegram")).toMatchObject({
    title: "Telegram",
    account: null,
    config_schema: {
      type: "object",
      required: ["bot_token", "chat_id"],
      properties: { bot_token: { title: "Bot Token", writeOnly: true }, chat_id: { title: "Chat ID" } },
    },
  });
  expect(types.filter(({ account }) => account === "google")).toHaveLength(4);
});
