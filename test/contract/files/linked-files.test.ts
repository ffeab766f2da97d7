import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { post, userMessage, userMessage1 } from "../../support/a2a/a2a.ts";
import { apiOf, listOf, send } from "../../support/api.ts";
import { startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SHOWN = `data:image/png;base64,${PIXEL}`;
const NOTE = "The key is blue.";
const TOO_LARGE = 10 * 1024 * 1024 + 1;

const failure = z.object({ error: z.object({ message: z.string(), param: z.string().nullable() }) });

let scene: ScriptedWorkspace;
let guide: ScriptedAgent;
let web: FakeServer;

beforeAll(async () => {
  scene = await useScriptedService();
  guide = await scene.player((_, reply) => void [reply.say("Seen."), reply.finish()], { name: "Guide" });
  web = await startFakeServer(({ path }, response) => {
    const answer = ANSWERS[path];
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
});
afterAll(() => web.close());

interface Answer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  // Servers often name the wrong type of image.
  "/pixel.jpg": { headers: { "content-type": "image/jpeg" }, body: Buffer.from(PIXEL, "base64") },
  "/key.txt": { headers: { "content-type": "text/plain; charset=utf-8" }, body: NOTE },
  "/moved": { status: 302, headers: { location: "/key.txt" } },
  "/inside": { status: 302, headers: { location: "https://169.254.169.254/latest" } },
  "/page": { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Sign in" },
  "/large": { headers: { "content-type": "text/plain" }, body: Buffer.alloc(TOO_LARGE, "x") },
  "/empty": { headers: { "content-type": "text/plain" }, body: "" },
};

const headers = (key: string) => ({ authorization: `Bearer ${key}` });
const user = (...content: object[]) => [{ role: "user", content }];
const lastMessages = () => JSON.stringify(guide.calls().at(-1)?.body.messages);

function ask(path: "responses" | "chat/completions", body: object) {
  const request = { headers: headers(scene.service.keys.api), body: { model: "Guide", ...body } };
  return send("POST", `${scene.service.url}/v1/${path}`, request);
}

verifies("openai.links", "images and files by URL are fetched, and reach the model in both APIs", async () => {
  const [image_url, file_url] = [`${web.url}/pixel.jpg`, `${web.url}/moved`];
  const response = await ask("responses", {
    input: user({ type: "input_image", image_url }, { type: "input_file", file_url, filename: "door.txt" }),
  });
  expect([response.status, guide.calls().at(-1)?.images]).toEqual([200, [SHOWN]]);
  for (const text of [NOTE, "door.txt"]) expect(lastMessages()).toContain(text);
  const chat = await ask("chat/completions", {
    messages: user({ type: "text", text: "Look" }, { type: "image_url", image_url: { url: image_url } }),
  });
  expect([chat.status, guide.calls().at(-1)?.images]).toEqual([200, [SHOWN]]);
});

verifies(
  "openai.links",
  "a URL that may not or cannot be read is rejected with the reason, and nothing starts",
  async () => {
    const before = listOf(await scene.api.get("/api-tasks")).length;
    const rejected: readonly (readonly [object, string, string])[] = [
      [{ type: "input_image", image_url: "https://169.254.169.254/a.png" }, "image_url", "metadata service"],
      [{ type: "input_image", image_url: "http://example.org/a.png" }, "image_url", "https://"],
      [{ type: "input_image", image_url: "https://user:pass@example.org/a.png" }, "image_url", "user name"],
      [{ type: "input_image", image_url: "https://nowhere.invalid/a.png" }, "image_url", "nowhere.invalid"],
      [{ type: "input_image", image_url: `${web.url}/page` }, "image_url", "text/html, no image"],
      [{ type: "input_image", image_url: `${web.url}/gone.png` }, "image_url", "HTTP 404"],
      [{ type: "input_file", file_url: "not a URL" }, "file_url", "is not a URL"],
      [{ type: "input_file", file_url: "file:///etc/passwd" }, "file_url", "https://"],
      [{ type: "input_file", file_url: `${web.url}/inside` }, "file_url", "metadata service"],
      [{ type: "input_file", file_url: `${web.url}/large` }, "file_url", "more than 10 MiB"],
    ];
    for (const [part, param, reason] of rejected) {
      const answer = await ask("responses", { input: user(part) });
      expect([part, answer.status]).toEqual([part, 400]);
      const { error } = failure.parse(answer.body);
      expect(error).toEqual({ ...error, param, message: expect.stringContaining(reason) });
    }
    expect((await ask("responses", { input: user({ type: "input_file", file_url: `${web.url}/empty` }) })).status).toBe(
      400,
    );
    expect(listOf(await scene.api.get("/api-tasks"))).toHaveLength(before);
  },
);

verifies("openai.links", "without ALLOW_PRIVATE_URLS no URL leads to this machine or its network", async () => {
  const service = await useSharedService();
  await createAgent(apiOf(service, service.keys.api), { name: "Closed" });
  const before = web.seen.length;
  for (const image_url of [`${web.url}/pixel.jpg`, "https://10.0.0.1/a.png", "https://localhost/a.png"]) {
    const body = { model: "Closed", input: user({ type: "input_image", image_url }) };
    const answer = await send("POST", `${service.url}/v1/responses`, { headers: headers(service.keys.api), body });
    expect([image_url, answer.status]).toEqual([image_url, 400]);
  }
  expect(web.seen).toHaveLength(before);
});

verifies("a2a.links", "files by URL in messages of both versions of A2A reach the model", async () => {
  const url = `${web.url}/key.txt`;
  const parts0 = [
    { kind: "text", text: QUICK },
    { kind: "file", file: { uri: url, name: "door.txt" } },
  ];
  const parts1 = [{ text: QUICK }, { url, filename: "door.txt", mediaType: "text/plain" }];
  for (const [method, params] of [
    ["message/send", userMessage("", { parts: parts0 })],
    ["SendMessage", userMessage1("", { parts: parts1 })],
  ] as const) {
    const { body } = await post(scene.service, guide.id, { jsonrpc: "2.0", id: 1, method, params });
    expect(body).toMatchObject({ result: {} });
    for (const text of [NOTE, "door.txt"]) expect(lastMessages()).toContain(text);
  }
  for (const [parts, message] of [
    [[{ url: `${web.url}/gone` }], "HTTP 404"],
    [Array.from({ length: 21 }, () => ({ url })), "at most 20 files"],
  ] as const) {
    const params = userMessage1("x", { parts });
    const { body } = await post(scene.service, guide.id, { jsonrpc: "2.0", id: 1, method: "SendMessage", params });
    expect(body).toMatchObject({ error: { code: -32602, message: expect.stringContaining(message) } });
  }
});

verifies("attachments.ag-ui", "files by URL in a message of AG-UI reach the model", async () => {
  const content = [
    { type: "image", source: { type: "url", value: `${web.url}/pixel.jpg` } },
    { type: "binary", mimeType: "text/plain", url: `${web.url}/key.txt` },
  ];
  const answer = await send("POST", `${scene.service.url}/ag-ui/${guide.id}/sse`, {
    headers: headers(scene.service.keys.agui),
    body: {
      threadId: crypto.randomUUID(),
      runId: crypto.randomUUID(),
      messages: [{ id: "m1", role: "user", content }],
    },
  });
  expect([answer.status, guide.calls().at(-1)?.images]).toEqual([200, [SHOWN]]);
  for (const text of [NOTE, "key.txt"]) expect(lastMessages()).toContain(text);
});
