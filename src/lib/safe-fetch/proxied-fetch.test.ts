import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { LookupAddress } from "node:dns";
import { afterEach, expect, test } from "vitest";
import { UnsafeUrlError } from "./check-url.ts";
import { FetchFailedError } from "./follow-redirects.ts";
import { createProxies } from "./proxies.ts";
import type { ProxySettings } from "./proxies.ts";
import { createSafeFetch } from "./safe-fetch.ts";
import type { SafeFetchOptions } from "./safe-fetch.ts";
import { createSafeRequest } from "./safe-request.ts";

const servers = new Set<Server>();

afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
});

/** A proxy that answers in place of every target. */
async function startProxy(answer: RequestListener) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  }).on("connect", (request: IncomingMessage, socket) => {
    seen.push(request);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  servers.add(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, port, targets: () => seen.map(({ url }) => url), seen };
}

function resolveTo(...addresses: readonly string[]): NonNullable<SafeFetchOptions["resolve"]> {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (hostname, callback) =>
    found.length > 0
      ? callback(null, found)
      : callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" }), []);
}

function fetchThrough(settings: ProxySettings, options: Omit<SafeFetchOptions, "proxies">) {
  return createSafeFetch({ ...options, proxies: createProxies(settings) });
}

test("a name that leads to an allowed address is sent to the proxy, which resolves it itself", async () => {
  const proxy = await startProxy((_, response) => response.end("by the proxy"));
  const options = { reach: "public", resolve: resolveTo("93.184.216.34") } as const;
  const answer = await fetchThrough({ http: proxy.url }, options)("http://shop.example/a?b=c");
  expect(await answer.text()).toBe("by the proxy");
  const request = createSafeRequest({ ...options, proxies: createProxies({ http: proxy.url }) });
  expect(await request("http://shop.example/d", { maxBytes: 100 })).toMatchObject({
    status: 200,
    text: "by the proxy",
  });
  expect(proxy.targets()).toEqual(["http://shop.example/a?b=c", "http://shop.example/d"]);
});

test.each([
  ["public", "http://innocent.example/", ["169.254.169.254"]],
  ["private", "http://innocent.example/", ["169.254.169.254"]],
  ["public", "https://innocent.example/", ["8.8.8.8", "10.0.0.1"]],
  ["public", "http://127.0.0.1/", []],
  ["public", "http://[::1]/", []],
  ["private", "http://metadata.google.internal/", []],
] as const)("%s: the proxy is not asked for %s, which leads to %j", async (reach, url, addresses) => {
  const proxy = await startProxy((_, response) => response.end("reached"));
  const fetch = fetchThrough({ http: proxy.url, https: proxy.url }, { reach, resolve: resolveTo(...addresses) });
  await expect(fetch(url)).rejects.toThrow(UnsafeUrlError);
  expect(proxy.targets()).toEqual([]);
});

test("a redirect through the proxy to a forbidden address is not followed", async () => {
  const proxy = await startProxy((_, response) => response.writeHead(302, { location: "http://10.1.2.3/" }).end());
  const fetch = fetchThrough({ http: proxy.url }, { reach: "public", resolve: resolveTo("93.184.216.34") });
  await expect(fetch("http://shop.example/")).rejects.toThrow(UnsafeUrlError);
  expect(proxy.targets()).toEqual(["http://shop.example/"]);
});

test("a name that cannot be checked here is not sent to the proxy, and the error says why", async () => {
  const proxy = await startProxy((_, response) => response.end("reached"));
  const fetch = fetchThrough({ http: proxy.url }, { reach: "public", resolve: resolveTo() });
  await expect(fetch("http://shop.example/")).rejects.toThrow(
    new FetchFailedError(
      "shop.example cannot be reached: its name does not exist (ENOTFOUND), and its address is checked before a proxy is asked.",
    ),
  );
  expect(proxy.targets()).toEqual([]);
});

test("an address of the operator is not resolved here", async () => {
  const proxy = await startProxy((_, response) => response.end("by the proxy"));
  const fetch = fetchThrough({ http: proxy.url }, { reach: "anywhere", resolve: resolveTo() });
  expect(await (await fetch("http://only-the-proxy-knows.example/")).text()).toBe("by the proxy");
});

test("a host of NO_PROXY is reached directly", async () => {
  const proxy = await startProxy((_, response) => response.end("by the proxy"));
  const target = await startProxy((_, response) => response.end("directly"));
  const fetch = fetchThrough({ http: proxy.url, except: "127.0.0.1" }, { reach: "private" });
  expect(await (await fetch(target.url)).text()).toBe("directly");
});

test("https goes through the proxy of http unless it has its own", async () => {
  const ofHttp = await startProxy(() => {});
  const ofHttps = await startProxy(() => {});
  const options = { reach: "anywhere" } as const;
  await expect(fetchThrough({ http: ofHttp.url }, options)("https://a.example/")).rejects.toThrow(/HTTP_PROXY/);
  const both = { http: ofHttp.url, https: ofHttps.url };
  await expect(fetchThrough(both, options)("https://b.example/")).rejects.toThrow(/HTTPS_PROXY/);
  expect([ofHttp.targets(), ofHttps.targets()]).toEqual([["a.example:443"], ["b.example:443"]]);
});

test.each([
  ["http://shop.example/", undefined, "wants a user name and password in its URL (HTTP 407)"],
  ["https://shop.example/", undefined, "wants a user name and password in its URL (HTTP 407)"],
  ["https://shop.example/", "ann:wrong", "rejects the user name and password of its URL (HTTP 407)"],
])("%s through a proxy that wants another password than %s: %s", async (target, user, reason) => {
  const proxy = await startProxy((_, response) => response.writeHead(407).end("Who are you?"));
  const url = user === undefined ? proxy.url : proxy.url.replace("//", `//${user}@`);
  const fetched = fetchThrough({ http: url }, { reach: "anywhere" })(target);
  await expect(fetched).rejects.toThrow(`shop.example cannot be reached: the proxy of HTTP_PROXY ${reason}`);
  const sent = user === undefined ? undefined : `Basic ${Buffer.from(user).toString("base64")}`;
  expect(proxy.seen.at(-1)?.headers["proxy-authorization"]).toBe(sent);
});

test.each(["http://shop.example/", "https://shop.example/"])("%s: a proxy that is away", async (target) => {
  const { url } = await startProxy(() => {});
  for (const server of servers) server.close();
  await expect(fetchThrough({ http: url }, { reach: "anywhere" })(target)).rejects.toThrow(
    new FetchFailedError(
      "shop.example cannot be reached: the proxy of HTTP_PROXY fails: it rejects connections (ECONNREFUSED).",
    ),
  );
});

test("the password of a proxy is not sent to its target", async () => {
  const target = await startProxy((request, response) => response.end(JSON.stringify(request.headers)));
  const fetch = fetchThrough({ http: "http://ann:secret@127.0.0.1:1", except: "*" }, { reach: "private" });
  expect(await (await fetch(target.url)).text()).not.toContain("authorization");
});
