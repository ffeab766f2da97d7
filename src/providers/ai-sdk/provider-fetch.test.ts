import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { once } from "node:events";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { NO_PROXIES } from "#lib/safe-fetch/proxies.ts";
import { DEFAULT_ANSWER_LIMITS } from "../define-provider.ts";
import { createProviderFetch } from "./provider-fetch.ts";

const providerFetch = createProviderFetch(NO_PROXIES);
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
}

test("a redirect of a post is followed with its body", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/old") response.writeHead(308, { Location: "/new" }).end();
    else
      request.pipe(response.writeHead(200, { "X-Was": `${request.method} ${String(request.headers["x-api-key"])}` }));
  });
  const response = await providerFetch(
    `${url}/old`,
    { method: "POST", headers: { "X-Api-Key": "k" }, body: "question" },
    DEFAULT_ANSWER_LIMITS,
  );
  expect(response.headers.get("x-was")).toBe("POST k");
  expect(await response.text()).toBe("question");
});

test("an answer without a body has none", async () => {
  const url = await serve((_, response) => response.writeHead(204).end());
  const response = await providerFetch(url, {}, DEFAULT_ANSWER_LIMITS);
  expect([response.status, response.body]).toEqual([204, null]);
});

test("an error is never the text of fetch", async () => {
  const url = await serve((request) => request.socket.destroy());
  await expect(providerFetch(url, {}, DEFAULT_ANSWER_LIMITS)).rejects.toMatchObject({
    name: "TypeError",
    message: "fetch failed",
    cause: { code: "UND_ERR_SOCKET" },
  });
});

test("the signal's reason ends a call that waits for its answer", async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort(new Error("enough")));
  await expect(providerFetch(url, { signal: controller.signal }, DEFAULT_ANSWER_LIMITS)).rejects.toThrow("enough");
});

test("the signal ends an answer in progress, and its connection", async () => {
  const controller = new AbortController();
  const closed = Promise.withResolvers<void>();
  const url = await serve((_, response) => {
    response.once("close", closed.resolve);
    response.write("some");
  });
  const { body } = await providerFetch(url, { signal: controller.signal }, DEFAULT_ANSWER_LIMITS);
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.toString()).toBe("some");
  controller.abort(new Error("enough"));
  await expect(reader?.read()).rejects.toThrow("enough");
  await closed.promise;
});

test.each([
  ["gzip", gzipSync],
  ["GZIP", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("a body with the coding %s is read", async (coding, compress) => {
  const url = await serve((_, response) => {
    response.writeHead(200, { "Content-Encoding": coding }).end(compress("answer"));
  });
  expect(await (await providerFetch(url, {}, DEFAULT_ANSWER_LIMITS)).text()).toBe("answer");
});

test("the limits are those of the body without its coding", async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync("x".repeat(1_000_000)));
  });
  const response = await providerFetch(url, {}, { bytes: 10_000, lineBytes: 10_000 });
  await expect(response.text()).rejects.toMatchObject({ kind: "too_large" });
});
