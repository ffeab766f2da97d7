import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { toolResult } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const WEB_TOOLS = ["web_search", "http_request", "read_url"];
const METADATA = "http://169.254.169.254/latest/meta-data/";
const SLOW = 120_000;

const PARAGRAPH = `<p>${"The mallard is a duck that lives on ponds, and it is not shy. ".repeat(8)}</p>`;
const ARTICLE = `<!doctype html><html><head><title>All about ducks</title><script>track("you")</script>
  <style>body { color: red }</style></head>
  <body><nav><ul><li><a href="/home">Home</a></li><li><a href="/login">Log in</a></li></ul></nav>
  <article><h1>All about ducks</h1>${PARAGRAPH}<h2>Where they go</h2>${PARAGRAPH}
  <ul><li>South, see <a href="/south">the map</a></li><li>Nowhere</li></ul>${PARAGRAPH}</article>
  <footer>Buy our bread</footer></body></html>`;

let web: FakeServer;
let service: TestService;
let closed: SharedService;
let agentId: string;
let closedAgentId: string;

beforeAll(async () => {
  web = await startFakeServer(answer);
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", SEARXNG_URL: `${web.url}/` } });
  closed = await useSharedService();
  agentId = (await createAgent(apiOf(service, service.keys.api), { tools: WEB_TOOLS })).id;
  closedAgentId = (await createAgent(apiOf(closed, closed.keys.api), { tools: WEB_TOOLS })).id;
}, SLOW);
afterAll(async () => {
  await service.stop();
  await web.close();
});

function answer({ path, method, body, headers }: SeenRequest, response: ServerResponse): void {
  const [, status] = /^\/status\/(\d+)$/.exec(path) ?? [];
  if (status !== undefined) response.writeHead(Number(status)).end();
  else if (path.startsWith("/search?"))
    answerJson(response, { results: [{ title: "Ducks", url: "https://ducks.example/", content: "South." }] });
  else if (path === "/article") response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(ARTICLE);
  else if (path === "/latin")
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(Buffer.from('<html><head><meta charset="iso-8859-1"></head><body>Ente: Küken</body></html>', "latin1"));
  else if (path === "/plain") response.writeHead(200, { "content-type": "text/plain" }).end("Plain\n  <b>words</b>\n");
  else if (path === "/long") response.writeHead(200, { "content-type": "text/plain" }).end("0123456789".repeat(6_000));
  else if (path === "/json") answerJson(response, { ducks: [1, 2] });
  else if (path === "/untyped") response.writeHead(200).end('{"ok":true}');
  else if (path === "/untyped-image") response.writeHead(200).end(Buffer.alloc(10));
  else if (path === "/image") response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(10));
  else if (path === "/nothing-said") response.writeHead(200).end("?");
  else if (path === "/bomb")
    response
      .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
      .end(gzipSync(Buffer.alloc(8 * 1024 * 1024, 32)));
  else if (path === "/nested")
    response.writeHead(200, { "content-type": "text/html" }).end(`<html><body>${"<div>".repeat(200_000)}`);
  else if (path === "/to-metadata") response.writeHead(302, { location: METADATA }).end();
  else if (path === "/to-article") response.writeHead(302, { location: "/article" }).end();
  else answerJson(response, { method, body, echo: headers["x-echo"], key: headers["idempotency-key"] }, 201);
}

const call = (name: string, args: unknown) => toolResult(service, { agentId, name, args });
const closedCall = (name: string, args: unknown) => toolResult(closed, { agentId: closedAgentId, name, args });

verifies("tools.search.searxng", "an agent searches with the service that the operator has set up", async () => {
  expect(await call("web_search", { query: "ducks" })).toBe("1. Ducks\nhttps://ducks.example/\nSouth.");
});

verifies("tools.search.not-configured", "without a search service the error names the missing setting", async () => {
  expect(await closedCall("web_search", { query: "ducks" })).toMatch(
    /not set up.*SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY or SERPER_API_KEY/,
  );
});

verifies("tools.search.not-configured", "a service whose WEB_SEARCH is not set up does not start", async () => {
  await expect(startService({ env: { WEB_SEARCH: "brave" } })).rejects.toThrow(
    /WEB_SEARCH is brave, but BRAVE_API_KEY is not set/,
  );
});

verifies("tools.http-request", "a request is sent as specified, and its response is returned", async () => {
  const request = { url: `${web.url}/echo`, method: "POST", headers: { "X-Echo": "quack" }, body: '{"a":1}' };
  const [head = "", body = ""] = (await call("http_request", request)).split("\n\n");
  expect(head).toBe("HTTP 201\ncontent-type: application/json");
  expect(JSON.parse(body)).toEqual({
    method: "POST",
    body: '{"a":1}',
    echo: "quack",
    key: expect.stringMatching(/^[0-9a-f-]{36}:1:/),
  });
});

verifies("tools.http-request", "an error response and a body that is not text are reported", async () => {
  expect(await call("http_request", { url: `${web.url}/status/404` })).toBe("HTTP 404");
  expect(await call("http_request", { url: `${web.url}/image` })).toMatch(
    /image\/png\n\n\(10 bytes that are no text\)/,
  );
  expect(await call("http_request", { url: `${web.url}/untyped` })).toBe('HTTP 200\n\n{"ok":true}');
  expect(await call("http_request", { url: `${web.url}/untyped-image` })).toMatch(/\(10 bytes that are no text\)/);
});

verifies("tools.http-request", "headers of the connection and wrong ones are rejected", async () => {
  const url = `${web.url}/echo`;
  expect(await call("http_request", { url, headers: { Host: "elsewhere" } })).toMatch(/belongs to the connection/);
  expect(await call("http_request", { url, headers: { "X-A": "a\r\nX-B: b" } })).toMatch(
    /contains characters not allowed in a header/,
  );
  expect(await call("http_request", { url, body: "x" })).toMatch(/GET request has no body/);
});

verifies(
  "tools.read-url.html",
  "a page is read without its navigation",
  async () => {
    const text = await call("read_url", { url: `${web.url}/to-article` });
    expect(text).toMatch(/^# All about ducks\nSource: http:\/\/127\.0\.0\.1:\d+\/article\n\n/);
    expect(text).toContain("\n\n## Where they go\n\nThe mallard");
    expect(text).toContain(`- South, see [the map](${web.url}/south)\n- Nowhere`);
    expect(text).not.toMatch(/track|color: red|Log in|Buy our bread|<p>/);
    expect(await call("read_url", { url: `${web.url}/latin` })).toContain("Ente: Küken");
  },
  { tags: "slow" },
);

verifies("tools.read-url.plain", "plain text and JSON are returned unchanged, long ones in parts", async () => {
  expect(await call("read_url", { url: `${web.url}/plain` })).toBe("Plain\n  <b>words</b>\n");
  expect(await call("read_url", { url: `${web.url}/json` })).toBe('{"ducks":[1,2]}');
  const first = await call("read_url", { url: `${web.url}/long` });
  expect(first).toMatch(/^(0123456789){5000}\n\n\(10000 of 60000 characters are left; they begin at 50000\.\)$/);
  expect(await call("read_url", { url: `${web.url}/long`, start: 50_000 })).toBe("0123456789".repeat(1_000));
});

verifies("tools.read-url.types", "other types are rejected with their type", async () => {
  expect(await call("read_url", { url: `${web.url}/image` })).toMatch(/image\/png.*only HTML, plain text and JSON/);
  expect(await call("read_url", { url: `${web.url}/nothing-said` })).toMatch(/application\/octet-stream/);
  expect(await call("read_url", { url: `${web.url}/status/503` })).toMatch(/HTTP 503/);
});

verifies(
  "tools.read-url.caps",
  "a page that is too large or too deeply nested is an error, and the service continues",
  async () => {
    expect(await call("read_url", { url: `${web.url}/bomb` })).toMatch(/more than 5 MiB/);
    expect(await call("read_url", { url: `${web.url}/nested` })).toMatch(/too complex/);
    expect(await call("read_url", { url: `${web.url}/json` })).toBe('{"ducks":[1,2]}');
  },
  SLOW,
);

const HOSTILE = ["http://127.0.0.1:80/", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/", "http://localhost/", METADATA];

verifies(
  "tools.web.guard",
  "a model cannot reach the service's private network",
  async () => {
    for (const name of ["http_request", "read_url"]) {
      for (const url of [...HOSTILE, `${web.url}/to-metadata`, "file:///etc/passwd"]) {
        expect(await closedCall(name, { url })).toMatch(/is rejected: |Only http and https/);
      }
    }
    expect(web.seen.filter(({ path }) => path === "/to-metadata")).toEqual([]);
  },
  SLOW,
);

verifies(
  "tools.web.allow-private",
  "with ALLOW_PRIVATE_URLS it may, but not ask a cloud for credentials",
  async () => {
    expect(await call("http_request", { url: `${web.url}/json` })).toContain('{"ducks":[1,2]}');
    for (const url of [METADATA, "http://[fd00:ec2::254]/", "http://100.100.100.200/", `${web.url}/to-metadata`]) {
      expect(await call("http_request", { url })).toMatch(/metadata service/);
    }
  },
  SLOW,
);
