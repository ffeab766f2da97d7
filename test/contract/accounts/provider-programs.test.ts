import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { ADA_ENV, bearer, whoIs } from "../../support/accounts.ts";
import { consoleOf, fieldsOf, listOf, refusal, send } from "../../support/api.ts";
import { programToken, startOpenIdProvider } from "../../support/open-id-provider.ts";
import type { Forgery, TestOpenIdProvider } from "../../support/open-id-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const AUDIENCE = "https://muster.example.com/api";
const CLIENTS = [{ client: "ci", workspace: "my-workspace", role: "member" }];

let provider: TestOpenIdProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  const env = { OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENTS: JSON.stringify(CLIENTS) };
  service = await startService({ env: { ...ADA_ENV, ...provider.env, ...env } });
  provider.serve([service]);
});
afterEach(() => {
  provider.forge = undefined;
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies("accounts.provider.programs", "a program calls with its token, with its role and under its name", async () => {
  const token = await programToken(provider, "ci", AUDIENCE);
  const headers = bearer(token);
  expect(fieldsOf(await whoIs(service, token))).toMatchObject({ name: "ci" });
  const body = { name: "By a program", model: "demo" };
  const made = await send("POST", `${service.url}/functions/v1/api-agents`, { headers, body });
  expect(made.status).toBe(201);
  const log = await consoleOf(service, service.keys.api).get("/audit?action=agent.created");
  expect(fieldsOf(log)["items"]).toEqual([expect.objectContaining({ actor: expect.objectContaining({ name: "ci" }) })]);
  // A member reads no audit log, and a program has no session.
  expect((await send("GET", `${service.url}/console/api/audit`, { headers })).status).toBe(403);
  expect((await send("GET", `${service.url}/auth/sessions`, { headers })).status).toBe(401);
  const owner = consoleOf(service, service.keys.api);
  expect(listOf(await owner.get("/members")).map(({ name }) => name)).not.toContain("ci");
  const accounts = listOf(await owner.get("/service-accounts"));
  expect(accounts).toEqual([expect.objectContaining({ name: "ci", role: "member", client: "ci" })]);
  const renamed = await owner.patch(`/service-accounts/${String(accounts[0]?.["id"])}`, { role: "admin" });
  expect([renamed.status, refusal(renamed).message]).toEqual([409, expect.stringContaining("OIDC_CLIENTS")]);
});

verifies(
  "accounts.provider.programs.refused",
  "a token of another client or for another audience opens nothing",
  async () => {
    const stranger = refusal(await whoIs(service, await programToken(provider, "stranger", AUDIENCE)));
    expect([stranger.status, stranger.message]).toEqual([401, expect.stringContaining("OIDC_CLIENTS")]);
    const foreign = await whoIs(service, await programToken(provider, "ci", "https://another.example.com"));
    expect(foreign.status).toBe(401);
  },
);

verifies("accounts.provider.programs.refused", "a client's name breaks no header that says why", async () => {
  provider.forge = { claims: { client_id: '日"\\\r\n' } };
  const headers = bearer(await programToken(provider, "ci", AUDIENCE));
  const answer = await send("GET", `${service.url}/v1/models`, { headers });
  const reason = `error="invalid_token", error_description="The client ?''?? has no role here (OIDC_CLIENTS)."`;
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, `Bearer ${reason}`]);
});

const soon = () => Math.floor(Date.now() / 1_000);
const forgeries: readonly { readonly name: string; readonly forge: () => Forgery }[] = [
  { name: "without a signature", forge: () => ({ as: "none" }) },
  { name: "signed by a stranger", forge: () => ({ as: "stranger" }) },
  { name: "of another issuer", forge: () => ({ claims: { iss: "https://evil.example" } }) },
  { name: "that has expired", forge: () => ({ claims: { exp: soon() - 120 } }) },
  { name: "without an end", forge: () => ({ claims: { exp: undefined } }) },
  { name: "without a client", forge: () => ({ claims: { client_id: undefined } }) },
];
for (const { name, forge } of forgeries) {
  verifies("accounts.provider.programs.refused", `an access token ${name} opens nothing`, async () => {
    provider.forge = forge();
    const answer = await whoIs(service, await programToken(provider, "ci", AUDIENCE));
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });
}
