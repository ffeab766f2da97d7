import { afterAll, beforeAll, expect } from "vitest";
import { ADA_ENV } from "../../support/accounts.ts";
import type { Answer } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { connectApp, consent, listTools, openAppPerson, registerApp, tokensOf } from "../../support/mcp/app-client.ts";
import type { AppPerson } from "../../support/mcp/app-client.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

/** Two processes behind a proxy have one URL. */
const publicUrl = "https://muster.example";

interface Behind extends TestService {
  readonly publicUrl: string;
}

let database: TestDatabase;
const keys = createKeys();
let one: Behind;
let other: Behind;
let ada: AppPerson;

async function start(how: typeof startPeer): Promise<Behind> {
  const PORT = String(await freePort());
  const env = { ...ADA_ENV, PORT, PUBLIC_URL: publicUrl };
  const service = await how({ databaseUrl: database.url, keys, env });
  return { ...service, url: `http://127.0.0.1:${PORT}`, publicUrl };
}

beforeAll(async () => {
  database = await createDatabase();
  one = await start(startService);
  other = await start(startPeer);
  ada = await openAppPerson(one);
});
afterAll(async () => {
  for (const service of [one, other]) await service.stop();
  await database.drop();
});

const isInvalid = ({ status, body }: Answer) => status === 400 && JSON.stringify(body).includes("invalid_grant");

verifies(
  "mcp.oauth.two-processes",
  "of many uses of a code at both processes, at most one counts; sessions renew a token together",
  async () => {
    const app = await registerApp(one);
    const code = (await consent(one, ada, app.authorizeUrl())).searchParams.get("code") ?? "";
    const redeemed = await Promise.all([one, other, one, other].map((on) => app.exchange(code, {}, on)));
    expect(redeemed.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(redeemed.filter((answer) => answer.status !== 200 && !isInvalid(answer))).toEqual([]);
    // Whoever was second has ended what the first one got.
    for (const { access_token } of redeemed.filter(({ status }) => status === 200).map(tokensOf)) {
      await eventually("the token ends", async () => (await listTools(other, access_token)).status === 401);
    }
    const { app: second, tokens } = await connectApp(one, ada);
    const renewed = await Promise.all(
      [one, other, one, other].map((on) => second.refresh(tokens.refresh_token, {}, on)),
    );
    // Sessions of a program that share a token renew it at the same time.
    for (const { access_token } of renewed.map(tokensOf))
      expect((await listTools(other, access_token)).status).toBe(200);
  },
);

verifies("mcp.oauth.restart", "a request that began at one process ends at another, also after a restart", async () => {
  const app = await registerApp(one);
  const code = (await consent(one, ada, app.authorizeUrl())).searchParams.get("code") ?? "";
  const tokens = tokensOf(await app.exchange(code, {}, other));
  for (const on of [one, other]) expect((await listTools(on, tokens.access_token)).status).toBe(200);
  await one.stop();
  one = await start(startService);
  expect((await listTools(one, tokens.access_token)).status).toBe(200);
  const renewed = tokensOf(await app.refresh(tokens.refresh_token, {}, one));
  expect((await listTools(other, renewed.access_token)).status).toBe(200);
});

verifies("mcp.oauth.consent.browser", "the cookie of a request is that of one page, and of https", async () => {
  const app = await registerApp(one);
  const { headers } = await fetch(app.authorizeUrl(), { redirect: "manual" });
  const uid = headers.get("location")?.split("/").at(-1);
  const [cookie] = headers.getSetCookie();
  expect(cookie).toContain(`; path=/auth/app-requests/${uid};`);
  for (const each of headers.getSetCookie()) expect(each).toMatch(/; samesite=lax; secure; httponly$/);
});
