import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { apiOf, fieldsOf, idsOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readAgent, readTask } from "../../support/work.ts";

const MIB = 1024 * 1024;
const RESOURCES = ["/api-agents", "/api-tasks", "/api-teams"] as const;
const BODIES = {
  "/api-agents": { name: "A", model: "demo" },
  "/api-tasks": { title: "T" },
  "/api-teams": { name: "T", mode: "pipeline" },
} as const;
const UNKNOWN = ["01940000-0000-7000-8000-000000000000", "00000000-0000-0000-0000-000000000000"];
const UNVERSIONED = "11111111-1111-1111-1111-111111111111";
const MALFORMED = ["7", "x", "", "01940000-0000-7000-8000-00000000000", "{01940000-0000-7000-8000-000000000000}", "*"];

let service: SharedService;
let api: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

test("an idle connection is kept for longer than balancers keep theirs", async () => {
  expect((await fetch(`${service.url}/ag-ui/health`)).headers.get("keep-alive")).toBe("timeout=75");
});

for (const path of RESOURCES) {
  verifies(
    [
      "envelope.success.get-200",
      "envelope.success.post-201",
      "envelope.success.patch-200",
      "envelope.success.delete-204",
      "envelope.id.in-query",
      "names.path.functions-v1",
    ],
    `${path}: each method has its status`,
    async () => {
      const made = await api.post(path, BODIES[path]);
      expect(made.status).toBe(201);
      const target = `${path}?id=${String(fieldsOf(made)["id"])}`;
      expect([(await api.get(path)).status, (await api.get(target)).status]).toEqual([200, 200]);
      const changed = await api.patch(target, { description: "changed" });
      expect([changed.status, fieldsOf(changed)["description"]]).toEqual([200, "changed"]);
      const deleted = await api.delete(target);
      expect([deleted.status, deleted.text, deleted.headers.get("content-type")]).toEqual([204, "", null]);
    },
  );

  verifies("envelope.id.missing-400", `${path}: changes and deletions need an id`, async () => {
    expect(refusal(await api.patch(path, { description: "x" }))).toMatchObject({ status: 400, paths: ["id"] });
    expect(refusal(await api.delete(path))).toMatchObject({ status: 400, paths: ["id"] });
  });

  verifies("envelope.id.malformed-400", `${path}: an id that is no UUID is rejected on every method`, async () => {
    for (const id of MALFORMED) {
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const body = method === "PATCH" ? { body: { description: "x" } } : {};
        const answer = await api.call(method, `${path}?id=${encodeURIComponent(id)}`, body);
        expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: ["id"] });
      }
    }
  });

  verifies("envelope.id.unknown-404", `${path}: an unknown id returns 404 for every method`, async () => {
    for (const id of [...UNKNOWN, UNVERSIONED]) {
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const body = method === "PATCH" ? { body: { description: "x" } } : {};
        const answer = await api.call(method, `${path}?id=${id}`, body);
        expect(refusal(answer)).toMatchObject({ status: 404, code: "not_found" });
      }
    }
  });

  verifies("envelope.body.unknown-fields-400", `${path}: a field that does not exist is rejected by name`, async () => {
    const before = idsOf(await api.get(path));
    const created = await api.post(path, { ...BODIES[path], colour: "red", sise: 1 });
    expect(refusal(created)).toMatchObject({ status: 400, paths: ["colour", "sise"] });
    expect(idsOf(await api.get(path))).toEqual(before);
    const made = fieldsOf(await api.post(path, BODIES[path]));
    const changed = await api.patch(`${path}?id=${String(made["id"])}`, { description: "x", colour: "red" });
    expect(refusal(changed)).toMatchObject({ status: 400, paths: ["colour"] });
    expect((await api.get(`${path}?id=${String(made["id"])}`)).body).toEqual(made);
  });

  const broken = ["", "{", '{"name":}', "hello", "{'a':1}", "\ufeff{}", '{"a":1}{"b":2}'];
  verifies("envelope.body.malformed-400", `${path}: a body that is no JSON is rejected`, async () => {
    for (const body of broken) {
      expect(refusal(await api.post(path, body))).toMatchObject({ status: 400, code: "bad_request" });
    }
  });

  verifies("envelope.body.not-an-object-400", `${path}: JSON that is no object is rejected`, async () => {
    for (const body of ["[]", "null", "5", '"text"', "true", '[{"title":"x"}]']) {
      const answer = refusal(await api.post(path, body));
      expect(answer).toMatchObject({ status: 400, code: "bad_request" });
      expect(answer.message).toContain("object");
    }
  });
}

verifies("envelope.body.json", "answers are JSON, and bodies are read as JSON whatever their type says", async () => {
  const answer = await send("POST", `${service.url}/functions/v1/api-tasks`, {
    headers: { "x-api-key": service.keys.api, "content-type": "text/plain" },
    body: '{"title":"Plain"}',
  });
  expect(answer.status).toBe(201);
  expect(fieldsOf(answer)["title"]).toBe("Plain");
  expect(answer.headers.get("content-type")).toBe("application/json; charset=UTF-8");
});

verifies("envelope.body.nothing-half-written", "one invalid field rejects the whole change", async () => {
  const agent = await createAgent(api);
  await api.patch(`/api-agents?id=${agent.id}`, { name: "Renamed", temperature: 9 });
  expect(await readAgent(api, agent.id)).toEqual(agent);
  const task = await createTask(api);
  await api.patch(`/api-tasks?id=${task.id}`, { title: "Renamed", assigned_agent_id: agent.id, priority: "asap" });
  expect(await readTask(api, task.id)).toEqual(task);
});

verifies(
  ["envelope.request-id.format", "envelope.request-id.header"],
  "every answer has an id of its own, the same in header and body",
  async () => {
    const answers = [
      await api.get("/api-me", { "x-api-version": "2" }),
      await api.get("/api-nothing"),
      await api.post("/api-tasks", "{"),
      await api.get("/api-tasks?id=x"),
      await send("GET", `${service.url}/functions/v1/api-me`),
    ];
    const inBody = answers.map((answer) => fieldsOf({ ...answer, body: fieldsOf(answer)["meta"] })["request_id"]);
    expect(inBody).toEqual(answers.map(({ headers }) => headers.get("x-request-id")));
    for (const id of inBody) expect(id).toMatch(/^req_[0-9a-f]{16}$/);
    expect(new Set(inBody).size).toBe(answers.length);
    const bare = [await api.get("/api-me"), await api.call("OPTIONS", "/api-me"), await api.call("HEAD", "/api-me")];
    for (const { headers } of bare) expect(headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{16}$/);
  },
);

const CLIENT_HEADERS = [
  "authorization",
  "content-type",
  "x-api-key",
  "x-api-version",
  "idempotency-key",
  "last-event-id",
  "a2a-version",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "*",
];
verifies("envelope.cors.preflight-204", "a browser may ask with every header that clients send", async () => {
  for (const path of [
    "/functions/v1/api-agents",
    "/functions/v1/api-me",
    "/ag-ui/x/sse",
    "/a2a/x",
    "/mcp",
    "/v1/models",
  ]) {
    const answer = await send("OPTIONS", service.url + path, {
      headers: {
        origin: "https://app.example.org",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": CLIENT_HEADERS.join(","),
      },
    });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    const allowed = (name: string) => (answer.headers.get(name) ?? "").toLowerCase().split(/\s*,\s*/);
    expect(allowed("access-control-allow-headers")).toEqual(expect.arrayContaining(CLIENT_HEADERS));
    expect(allowed("access-control-allow-methods")).toEqual(expect.arrayContaining(["get", "post", "patch", "delete"]));
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  }
});

verifies(
  "envelope.cors.exposed-headers",
  "a browser may read the answers, rejections too, and their headers",
  async () => {
    const origin = { origin: "https://app.example.org" };
    for (const answer of [await api.get("/api-me", origin), await api.get("/api-nothing", origin)]) {
      const exposed = (answer.headers.get("access-control-expose-headers") ?? "").split(/\s*,\s*/);
      expect(exposed).toEqual(
        expect.arrayContaining([
          "X-Request-Id",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
          "Retry-After",
          "Link",
          "WWW-Authenticate",
        ]),
      );
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
  },
);

/** A task whose body is exactly so long. */
function taskOfBytes(length: number): string {
  return JSON.stringify({ title: "x" }).padEnd(length);
}

verifies(["envelope.body.limit", "errors.payload-too-large"], "1 MiB is the longest body", async () => {
  expect((await api.post("/api-tasks", taskOfBytes(MIB))).status).toBe(201);
  const tooLong = refusal(await api.post("/api-tasks", taskOfBytes(MIB + 1)));
  expect(tooLong).toMatchObject({ status: 413, code: "payload_too_large" });
  expect(tooLong.message).toContain("1 MiB");
});

verifies("envelope.body.limit", "a body without a declared length is also aborted at the limit", async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  socket.write(
    `POST /functions/v1/api-tasks HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${service.keys.api}\r\n` +
      `Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
  );
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('"payload_too_large"');
});
