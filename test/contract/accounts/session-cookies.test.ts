import { beforeAll, expect, test } from "vitest";
import { ADA, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import { refusal, send } from "../../support/api.ts";
import type { TestService } from "../../support/service.ts";
import { overHttps, useSessionScene } from "../../support/session-scene.ts";
import type { SessionScene } from "../../support/session-scene.ts";
import { verifies } from "../../support/verifies.ts";

let scene: SessionScene;

beforeAll(async () => {
  scene = await useSessionScene();
});

verifies("accounts.session.cookie", "scripts, other sites and plain http cannot access the cookie", async () => {
  const attributes = async (service: TestService) =>
    (await signIn(service)).setCookie.replace(/=\w+/, "").split("; ").toSorted();
  const plain = ["HttpOnly", "Max-Age=2592000", "SameSite=Strict"];
  expect(await attributes(scene.one)).toEqual([...plain, "Path=/auth", "muster_refresh"].toSorted());
  expect(await attributes(scene.other)).toEqual([...plain, "Path=/", "Secure", "__Host-muster_refresh"].toSorted());
});

verifies(
  "accounts.session.cookie",
  "over https, a cookie that a sibling domain may have planted is ignored",
  async () => {
    const { cookie } = await signIn(scene.other);
    expect(cookie).toMatch(/^__Host-muster_refresh=/);
    const planted = { cookie: cookie.replace("__Host-", "") };
    expect((await postAuth(scene.other, "refresh", {}, planted)).status).toBe(401);
    expect((await scene.refresh(cookie, scene.other)).status).toBe(200);
  },
);

const foreign: readonly { readonly name: string; readonly headers: Readonly<Record<string, string>> }[] = [
  { name: "from another origin", headers: { origin: "https://evil.example" } },
  { name: "from another port", headers: { origin: "http://127.0.0.1:1" } },
  { name: "from nowhere", headers: { origin: "null" } },
  { name: "from a sibling site", headers: { "sec-fetch-site": "same-site" } },
  { name: "from another site", headers: { "sec-fetch-site": "cross-site" } },
  { name: "of a form", headers: { "content-type": "text/plain" } },
];
for (const { name, headers } of foreign) {
  verifies("accounts.session.cross-site", `a request ${name} cannot use the cookie or sign in`, async () => {
    const { cookie } = await signIn(scene.one);
    const status = "content-type" in headers ? 400 : 403;
    for (const [path, body] of [
      ["refresh", {}],
      ["token", {}],
      ["sign-out", {}],
      ["sign-in", ADA],
      ["sign-up", { email: "eve@example.org", password: "a long password" }],
    ] as const) {
      const answer = await postAuth(scene.one, path, body, { ...headers, cookie });
      expect([path, refusal(answer).status, answer.headers.getSetCookie()]).toEqual([path, status, []]);
    }
    expect((await scene.refresh(cookie)).status).toBe(200);
  });
}

verifies(
  "accounts.session.cross-site",
  "the service's own pages are accepted; CORS never allows the cookie",
  async () => {
    const { cookie } = await signIn(scene.one);
    const headers = { origin: scene.one.url, "sec-fetch-site": "same-origin", cookie };
    const answer = await postAuth(scene.one, "refresh", {}, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { cookie: next } = sessionOf(answer);
    const outside = { origin: "https://muster.example", cookie: overHttps(next) };
    expect((await postAuth(scene.other, "refresh", {}, outside)).status).toBe(200);
    const asked = await send("OPTIONS", `${scene.one.url}/auth/refresh`, {
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    for (const { headers: given } of [answer, asked]) {
      expect(given.get("access-control-allow-origin")).toBe("*");
      expect(given.get("access-control-allow-credentials")).toBeNull();
    }
  },
);

test("behind a proxy the OpenAPI document names the address for others", { tags: "slow" }, async () => {
  const { body } = await send("GET", `${scene.other.url}/openapi.json`);
  expect(body).toMatchObject({ servers: [{ url: "https://muster.example" }] });
});
