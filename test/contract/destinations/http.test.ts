import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_PROXIES } from "#lib/safe-fetch/proxies.ts";
import { createSafeRequest } from "#lib/safe-fetch/safe-request.ts";
import { DELIVERY_ID, PAYLOAD, deliver } from "../../support/destinations/deliver.ts";
import { startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { HOSTILE_URLS } from "../../support/checks/hostile-urls.ts";
import { verifies } from "../../support/verifies.ts";

const SECRET = "It's a Secret — ß";

let receiver: FakeServer;
let redirects = 0;

beforeAll(async () => {
  receiver = await startFakeServer(({ path }, response) => {
    const [, status, target] = /^\/redirect\/(\d+)\/(.*)$/.exec(path) ?? [];
    if (status === undefined) return response.writeHead(Number(path.slice(1)) || 200).end();
    redirects += 1;
    return response.writeHead(Number(status), { location: decodeURIComponent(target ?? "") }).end();
  });
});
afterAll(() => receiver.close());

function lastRequest(): SeenRequest {
  const last = receiver.seen.at(-1);
  if (last === undefined) throw new Error("Nothing was sent.");
  return last;
}
const post = (path: string, more: Readonly<Record<string, unknown>> = {}) =>
  deliver({ type: "http", config: { url: receiver.url + path, ...more } });

verifies(
  [
    "routes.signature.hmac",
    "routes.signature.absent-without-secret",
    "routes.delivery.id-header",
    "routes.delivery.context-headers",
    "names.signature-header",
  ],
  "a delivery has its id, event and time, and with a secret a signature that others verify",
  async () => {
    const payload = { ...PAYLOAD, result_full: "Grüße 😀" };
    const config = { url: receiver.url, secret: SECRET };
    // The name of the service is in what is created elsewhere, never in headers.
    const settings = { serviceName: "Acme" };
    expect(await deliver({ type: "http", config, payload, settings })).toMatchObject({ status: "success" });
    const { headers, body } = lastRequest();
    const signature = String(headers["x-service-signature"]);
    expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(await verify(SECRET, body, signature)).toBe(true);
    expect(await verify("another", body, signature)).toBe(false);
    expect(headers).toMatchObject({ "x-service-delivery": DELIVERY_ID, "x-service-event": "task.completed" });
    expect(Math.abs(Date.parse(String(headers["x-service-timestamp"])) - Date.now())).toBeLessThan(10_000);

    await post("/");
    expect(lastRequest().headers).toMatchObject({ "x-service-delivery": DELIVERY_ID });
    expect(Object.keys(lastRequest().headers).filter((name) => name.includes("signature"))).toEqual([]);
  },
);

test("a secret of Standard Webhooks adds its headers", async () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
  await post("/", { secret });
  const { headers, body } = lastRequest();
  const named = (name: string) => ({ [name]: String(headers[name]) });
  const signed = { ...named("webhook-id"), ...named("webhook-timestamp"), ...named("webhook-signature") };
  expect(new Webhook(secret).verify(body, signed)).toEqual(PAYLOAD);
  expect(await verify(secret, body, String(headers["x-service-signature"]))).toBe(true);
});

verifies("routes.delivery.2xx-is-success", "any 2xx is a success and nothing else", async () => {
  for (const status of [200, 201, 202, 204, 206, 299]) {
    expect(await post(`/${status}`)).toMatchObject({ status: "success", httpCode: status });
  }
  for (const status of [300, 304, 400, 404, 500]) {
    expect(await post(`/${status}`)).toMatchObject({ status: "failed", httpCode: status });
  }
});

verifies(
  "routes.safety.redirects",
  "at most three redirects are followed, each checked, with the payload",
  async () => {
    const to = (url: string, times: number, status = 307): string =>
      times === 0 ? url : `${receiver.url}/redirect/${status}/${encodeURIComponent(to(url, times - 1, status))}`;
    const go = (url: string) => deliver({ type: "http", config: { url } });

    for (const status of [301, 302, 307, 308]) {
      expect(await go(to(`${receiver.url}/200`, 3, status))).toMatchObject({ status: "success" });
      expect(lastRequest()).toMatchObject({ method: "POST", body: JSON.stringify(PAYLOAD) });
    }
    redirects = 0;
    expect(await go(to(`${receiver.url}/200`, 4))).toMatchObject({
      status: "failed",
      error: "127.0.0.1 redirects more than 3 times.",
    });
    expect(redirects).toBe(4);
    for (const target of [
      "http://169.254.169.254/latest",
      "http://[fd00:ec2::254]/",
      "http://metadata.google.internal/",
    ]) {
      expect(await go(to(target, 1))).toMatchObject({
        status: "failed",
        error: expect.stringContaining("is rejected"),
      });
    }
  },
);

test("a secret is masked also where the error is cut", async () => {
  const secret = "0123456789-abcdefghij-0123456789";
  const echo = await startFakeServer((_, response) => response.writeHead(400).end("x".repeat(280) + secret.repeat(9)));
  const { error } = await deliver({ type: "http", config: { url: echo.url, secret } });
  await echo.close();
  expect(error).toMatch(/^HTTP 400: x{280}(•{1,4})+$/);
});

test("ports of other protocols are rejected", async () => {
  for (const port of [22, 25, 6667]) {
    expect(await deliver({ type: "http", config: { url: `http://127.0.0.1:${port}/` } })).toMatchObject({
      status: "failed",
      error: `Port ${port} is rejected: it is one of another protocol.`,
    });
  }
});

verifies(
  ["routes.safety.ip-literals", "routes.safety.private-addresses", "routes.safety.https-only"],
  "hostile URLs are rejected by name, by address and by scheme, whatever the destination",
  async () => {
    const strict = {
      reach: "public",
      send: createSafeRequest({
        proxies: NO_PROXIES,
        reach: "public",
        resolve: (_, done) => done(null, [{ address: "10.1.2.3", family: 4 }]),
      }),
    } as const;
    const before = receiver.seen.length;
    for (const type of ["http", "slack", "discord", "teams"]) {
      const field = type === "http" ? "url" : "webhook_url";
      for (const url of [...HOSTILE_URLS, "https://rebinding.example/"]) {
        const outcome = await deliver({ type, config: { [field]: url }, settings: strict });
        expect(outcome, `${type} ${url}`).toMatchObject({ status: "failed", httpCode: null });
        expect(outcome.error).toMatch(/is rejected|must not address this machine/);
      }
      for (const url of [receiver.url, "http://example.com/", "https://user:word@example.com/"]) {
        const outcome = await deliver({ type, config: { [field]: url }, settings: strict });
        expect(outcome.error, `${type} ${url}`).toMatch(/^The URL must /);
      }
    }
    expect(receiver.seen.length).toBe(before);
  },
);

verifies(
  "routes.safety.loopback-setting",
  "plain http reaches this machine only, and only if the operator allows it",
  async () => {
    expect(await post("/200")).toMatchObject({ status: "success" });
    const elsewhere = await deliver({ type: "http", config: { url: "http://10.0.0.1/" } });
    expect(elsewhere.error).toBe("The URL must start with https://, or with http:// for this machine.");
    const strict = await deliver({ type: "http", config: { url: receiver.url }, settings: { reach: "public" } });
    expect(strict.error).toBe("The URL must not address this machine, unless its operator sets ALLOW_PRIVATE_URLS.");
  },
);
