import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, connect } from "node:net";
import type { Server } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "vitest";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const EXAMPLE = join(import.meta.dirname, "../../../clients/python/muster_example.py");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
/** After how many bytes of the service the relay cuts its first connections with a stream. */
const CUT_AFTER = 700;

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

verifies(
  "client.python",
  "the Python example runs, and resumes its stream when that is cut",
  async () => {
    if (!hasPython) {
      console.warn("skipped: there is no python3 on this machine");
      return;
    }
    const relay = await startCuttingRelay(service.url);
    const env = { ...process.env, MUSTER_URL: relay.url, MUSTER_API_KEY: service.keys.api };
    const { stdout } = await promisify(execFile)("python3", [EXAMPLE], { env, timeout: 60_000 });
    await relay.close();
    expect(stdout).toBe("question: Shall I?\nRUN_FINISHED\ncompleted\n");
    expect(relay.cuts()).toBeGreaterThan(0);
  },
  { tags: "slow" },
);

verifies("client.python.redirect", "a redirect is an error, and its target gets no key", async () => {
  if (!hasPython) return;
  const seen: string[] = [];
  const target = createHttpServer((_, response) => void response.end(seen.push("request") && "{}"));
  const redirecting = createHttpServer((_, response) => {
    response.writeHead(302, { location: urlOf(target) }).end();
  });
  for (const server of [target, redirecting]) await once(server.listen(0, "127.0.0.1"), "listening");
  const env = { ...process.env, MUSTER_URL: urlOf(redirecting), MUSTER_API_KEY: "mst_secret" };
  await expect(promisify(execFile)("python3", [EXAMPLE], { env, timeout: 60_000 })).rejects.toThrow("status 302");
  expect(seen).toEqual([]);
  for (const server of [target, redirecting]) server.close();
});

verifies(
  "client.python.retries",
  "a call above the rate limit or after a 503 is sent again with its key; wrong input is not",
  async () => {
    if (!hasPython) return;
    const keys: unknown[] = [];
    const statuses = [429, 503, 201, 400];
    const server = createHttpServer((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      const status = statuses.shift() ?? 500;
      const error = { code: "bad_request", message: "No.", details: [{ path: "title", message: "must not be empty" }] };
      response.writeHead(status, { "retry-after": "1" }).end(JSON.stringify(status < 400 ? { id: "1" } : { error }));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const program = `
import sys
from muster_example import Muster, MusterError
muster = Muster(sys.argv[1], "mst_secret")
print(muster.call("POST", "/functions/v1/api-tasks", {"title": "x"}, idempotency_key="order-1"))
try:
    muster.call("POST", "/functions/v1/api-tasks", {"title": ""}, idempotency_key="order-2")
except MusterError as error:
    print(error.status, error.details[0]["path"])
`;
    const env = { ...process.env, PYTHONPATH: dirname(EXAMPLE) };
    const { stdout } = await promisify(execFile)("python3", ["-c", program, urlOf(server)], { env, timeout: 60_000 });
    server.close();
    expect(stdout).toBe("{'id': '1'}\n400 title\n");
    expect(keys).toEqual(["order-1", "order-1", "order-1", "order-2"]);
  },
);

verifies(
  "client.python.retries",
  "a PATCH is sent again above the rate limit, not after a 503; a service that is away is named",
  async () => {
    if (!hasPython) return;
    const methods: (string | undefined)[] = [];
    const statuses = [429, 503];
    const server = createHttpServer((request, response) => {
      methods.push(request.method);
      const error = { code: "unavailable", message: "Later." };
      response.writeHead(statuses.shift() ?? 500, { "retry-after": "1" }).end(JSON.stringify({ error }));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const program = `
import sys
from muster_example import Muster, MusterError
try:
    Muster(sys.argv[1], "mst_secret").call("PATCH", "/functions/v1/api-agents?id=1", {"name": "x"})
except MusterError as error:
    print(error.status)
try:
    Muster("http://127.0.0.1:1", "mst_secret").call("DELETE", "/functions/v1/api-agents?id=1")
except ConnectionError as error:
    print(error)
`;
    const env = { ...process.env, PYTHONPATH: dirname(EXAMPLE) };
    const { stdout } = await promisify(execFile)("python3", ["-c", program, urlOf(server)], { env, timeout: 60_000 });
    server.close();
    expect(stdout).toMatch(/^503\nCannot reach the service at http:\/\/127\.0\.0\.1:1: .*refused/);
    expect(methods).toEqual(["PATCH", "PATCH"]);
  },
);

/** Passes connections on to a service, and cuts the first two that carry a stream in the middle. */
async function startCuttingRelay(target: string) {
  const { hostname, port } = new URL(target);
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isStream = false;
    let bytes = 0;
    client.on("data", (piece) => {
      isStream ||= piece.includes("/sse HTTP/1.1");
      upstream.write(piece);
    });
    upstream.on("data", (piece) => {
      bytes += piece.length;
      client.write(piece);
      if (!isStream || cuts >= 2 || bytes < CUT_AFTER) return;
      cuts += 1;
      client.destroy();
      upstream.destroy();
    });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: urlOf(server),
    cuts: () => cuts,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}
