import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { LookupAddress } from "node:dns";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { UnsafeUrlError } from "./check-url.ts";
import { fetchWhole } from "./fetch-whole.ts";
import { FetchFailedError } from "./follow-redirects.ts";
import { NO_PROXIES } from "./proxies.ts";
import { createSafeFetch } from "./safe-fetch.ts";

const BOUNDS = { timeoutMs: 5_000, maxBytes: 10_000 };
const servers = new Set<Server>();

afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
});

async function serve(answer: RequestListener): Promise<{ readonly url: string; readonly port: number }> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.add(server);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, port };
}

/** A resolver that gives these answers, one look-up after the other. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => {
    const addresses = answers[Math.min(asked.push(hostname), answers.length) - 1] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { resolve, asked };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

describe("names", () => {
  test.each([
    [["127.0.0.1"]],
    [["10.1.2.3"]],
    [["169.254.169.254"]],
    [["::1"]],
    [["::ffff:127.0.0.1"]],
    [["fe80::1%lo"]],
    [["8.8.8.8", "127.0.0.1"]],
    [["2606:4700::1111", "fd00:ec2::254"]],
  ])("one that resolves to %j is not connected to, and the error does not contain the address", async (addresses) => {
    const { port } = await serve((_, response) => response.end("reached"));
    const fetch = createSafeFetch({ proxies: NO_PROXIES, reach: "public", resolve: resolver(addresses).resolve });
    await expect(fetch(`http://innocent.example:${port}/`)).rejects.toEqual(
      new UnsafeUrlError("innocent.example is rejected: it does not lead to the public internet."),
    );
  });

  test("localhost is rejected; so is the metadata service where private networks are allowed", async () => {
    await expect(createSafeFetch({ proxies: NO_PROXIES, reach: "public" })("http://localhost/")).rejects.toThrow(
      UnsafeUrlError,
    );
    const { resolve } = resolver(["169.254.169.254"]);
    const fetch = createSafeFetch({ proxies: NO_PROXIES, reach: "private", resolve });
    await expect(fetch("http://innocent.example/")).rejects.toThrow(UnsafeUrlError);
  });

  test("the checked address is the connected address: one look-up per connection", async () => {
    const { port } = await serve((_, response) => response.setHeader("connection", "close").end("reached"));
    const { resolve, asked } = resolver(["127.0.0.1"], ["169.254.169.254"]);
    const fetch = createSafeFetch({ proxies: NO_PROXIES, reach: "private", resolve });
    const first = await fetchWhole(fetch, `http://rebinding.example:${port}/`, BOUNDS);
    expect(Buffer.from(first.body).toString()).toBe("reached");
    expect(asked).toEqual(["rebinding.example"]);
    await expect(fetch(`http://rebinding.example:${port}/`)).rejects.toThrow(UnsafeUrlError);
  });

  test("an absent server has another error than a rejected one", async () => {
    const { port } = await serve(() => {});
    for (const server of servers) server.close();
    const fetch = createSafeFetch({ proxies: NO_PROXIES, reach: "private" });
    await expect(fetch(`http://127.0.0.1:${port}/hook/s3cret`)).rejects.toThrow(
      new FetchFailedError("127.0.0.1 cannot be reached: it rejects connections (ECONNREFUSED)."),
    );
  });
});

describe("redirects", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://2852039166/",
    "http://metadata.google.internal/",
    "//169.254.169.254/",
    "file:///etc/passwd",
    "http://user:secret@127.0.0.1/",
  ])("one to %s is not followed", async (location) => {
    const { url } = await serve((_, response) => response.writeHead(302, { location }).end());
    await expect(createSafeFetch({ proxies: NO_PROXIES, reach: "private" })(url)).rejects.toThrow(UnsafeUrlError);
  });

  test("one to a name is resolved and checked as well", async () => {
    const { port } = await serve((_, response) =>
      response.writeHead(307, { location: "http://second.example/" }).end(),
    );
    const { resolve, asked } = resolver(["127.0.0.1"], ["169.254.169.254"]);
    const fetch = createSafeFetch({ proxies: NO_PROXIES, reach: "private", resolve });
    await expect(fetch(`http://first.example:${port}/`)).rejects.toThrow(/second\.example/);
    expect(asked).toEqual(["first.example", "second.example"]);
  });

  test("three are followed, a fourth is not", async () => {
    const { url } = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("arrived");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const fetch = createSafeFetch({ proxies: NO_PROXIES, reach: "private" });
    const arrived = await fetchWhole(fetch, `${url}/3`, BOUNDS);
    expect(arrived).toMatchObject({ status: 200, ok: true, url: `${url}/0` });
    await expect(fetch(`${url}/4`)).rejects.toThrow(FetchFailedError);
  });

  test("another origin gets no secrets; the same origin gets all of them", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const { url } = await serve((request, response) => {
      seen.push(request.headers);
      response.writeHead(307, { location: request.url === "/" ? "/again" : other.url }).end();
    });
    await createSafeFetch({ proxies: NO_PROXIES, reach: "private" })(url, {
      method: "POST",
      headers: { Authorization: "Bearer s3cret", "X-Api-Key": "s3cret", Cookie: "s3cret", Accept: "text/plain" },
      body: "hello",
    });
    expect(seen.map(({ authorization }) => authorization)).toEqual(["Bearer s3cret", "Bearer s3cret", undefined]);
    expect(JSON.stringify(seen[2])).not.toContain("s3cret");
    expect(seen[2]).toMatchObject({ accept: "text/plain" });
  });

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "PUT", "GET"],
    [307, "POST", "POST"],
    [308, "PUT", "PUT"],
    [302, "PUT", "PUT"],
  ])("%i of a %s is followed with %s", async (status, method, expected) => {
    const seen: { readonly method: string | undefined; readonly body: string }[] = [];
    const { url } = await serve(async (request, response) => {
      seen.push({ method: request.method, body: await bodyOf(request) });
      if (request.url === "/") response.writeHead(status, { location: "/next" });
      response.end();
    });
    await createSafeFetch({ proxies: NO_PROXIES, reach: "private" })(url, { method, body: "hello" });
    expect(seen[1]).toEqual({ method: expected, body: expected === "GET" ? "" : "hello" });
  });
});

describe("bounds", () => {
  const fetch = createSafeFetch({ proxies: NO_PROXIES, reach: "private" });

  test("a response that is too long is aborted, also one that is small before decompression", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/zip") response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(1_000_000)));
      else response.end("x".repeat(10_001));
    });
    await expect(fetchWhole(fetch, url, BOUNDS)).rejects.toThrow(/more than 9\.8 KiB/);
    await expect(fetchWhole(fetch, `${url}/zip`, BOUNDS)).rejects.toThrow(/more than 9\.8 KiB/);
  });

  test("a silent server and an endless response time out", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/drip") response.write("drop");
    });
    await expect(fetchWhole(fetch, url, { ...BOUNDS, timeoutMs: 50 })).rejects.toThrow(/longer than 0.05 s/);
    await expect(fetchWhole(fetch, `${url}/drip`, { ...BOUNDS, timeoutMs: 50 })).rejects.toThrow(/longer than 0.05 s/);
  });

  test("the signal aborts the request with its own reason", async () => {
    const { url } = await serve((_, response) => void response.write("drop"));
    const stop = new AbortController();
    const answer = fetchWhole(fetch, url, { ...BOUNDS, signal: stop.signal });
    stop.abort(new Error("cancelled"));
    await expect(answer).rejects.toThrow("cancelled");
  });

  test("a response that aborts has an error of its own", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setImmediate(() => response.destroy());
    });
    await expect(fetchWhole(fetch, url, BOUNDS)).rejects.toThrow(FetchFailedError);
  });
});
