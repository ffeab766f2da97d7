import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { fieldsOf, listOf, refusal, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { consent, openAppPerson } from "../../support/mcp/app-client.ts";
import { openAccountScene } from "../../support/mcp/account-scene.ts";
import type { AccountScene } from "../../support/mcp/account-scene.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { runJanitor } from "../../support/run-janitor.ts";
import { sql } from "../../support/workspace.ts";

const CALLBACK = "/oauth/mcp/callback";

let scene: AccountScene;
let id: string;

beforeAll(async () => {
  scene = await openAccountScene();
  ({ id } = await scene.register({ account: "person" }));
});
afterAll(() => scene.close());
beforeEach(() => {
  Object.assign(scene.server, { account: "ada", forgedIssuer: undefined, resource: undefined });
});

/** Ada begins and agrees; the URL to which the authorization server sends her browser. */
async function agree(browser = openProviderBrowser()): Promise<string> {
  return browser.follow(await scene.begin(scene.ada, id, browser), CALLBACK);
}

const accountsNow = async () => listOf(await scene.ada.get(`/mcp-servers/${id}/accounts`));
const finish = (person: AccountScene["ada"], url: string) => person.post("/mcp-servers/finish", { url });

verifies("mcp.account.sign-in", "another browser does not finish a sign-in; the person who began it can", async () => {
  const url = await agree();
  const elsewhere = await openProviderBrowser().visit(url);
  expect(elsewhere).toMatchObject({ status: 200, text: expect.stringContaining("not begun in this browser") });
  expect(await accountsNow()).toEqual([]);
  const stranger = await finish(scene.ben, url);
  expect(refusal(stranger)).toMatchObject({ status: 403, message: expect.stringContaining("Another person") });
  expect(await accountsNow()).toEqual([]);
  expect((await finish(scene.ada, url)).body).toMatchObject({ id, account_status: "connected" });
  expect(await accountsNow()).toMatchObject([{ person: { id: scene.ada.session.user.id } }]);
});

verifies("mcp.account.sign-in", "a state is valid once, and not for invented ones", async () => {
  const browser = openProviderBrowser();
  const url = await agree(browser);
  expect((await browser.visit(url)).status).toBe(303);
  expect((await browser.visit(url)).text).toContain("not begun in this browser");
  for (const used of [
    url,
    `${scene.service.url}${CALLBACK}?state=invented&code=x`,
    `${scene.service.url}${CALLBACK}`,
  ]) {
    expect(refusal(await finish(scene.ada, used))).toMatchObject({
      status: 400,
      message: expect.stringContaining("expired, or was finished before"),
    });
  }
});

verifies("mcp.account.sign-in", "two at a time finish a sign-in once", async () => {
  const before = scene.server.granted.length;
  const url = await agree();
  const answers = await Promise.all([1, 2, 3, 4].map(() => finish(scene.ada, url)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  expect(scene.server.granted.slice(before)).toEqual(["authorization_code"]);
});

verifies("mcp.account.sign-in", "a state expires after ten minutes, and is deleted", async () => {
  const url = await agree();
  const { service } = scene;
  await sql(service.databaseUrl, "update mcp_sign_ins set expires_at = clock_timestamp() - interval '1 second'");
  expect(refusal(await finish(scene.ada, url))).toMatchObject({ status: 400 });
  await runJanitor(service);
  expect(await sql(service.databaseUrl, "select from mcp_sign_ins")).toEqual([]);
});

verifies("mcp.account.sign-in", "sign-ins that began in several tabs are each finished", async () => {
  const browser = openProviderBrowser();
  const urls = [await agree(browser), await agree(browser)];
  for (const url of urls) expect((await browser.visit(url)).status).toBe(303);
});

verifies("mcp.account.sign-in", "a sign-in counts for what the server and the person were when it began", async () => {
  const { ada, ben } = scene;
  const server = await scene.register({ account: "person" });
  const browser = openProviderBrowser();
  const personal = await browser.follow(await scene.begin(ben, server.id, browser), CALLBACK);
  await ada.patch(`/mcp-servers/${server.id}`, { oauth: { account: "workspace" } });
  expect(refusal(await finish(ben, personal))).toMatchObject({ status: 409 });
  const role = (name: string) => ada.patch(`/members/${ben.session.user.id}`, { role: name });
  await role("admin");
  // A process hears of the change a moment later.
  await eventually("Ben may", async () => (await ben.post(`/mcp-servers/${server.id}/connect`)).status === 200);
  const shared = await browser.follow(await scene.begin(ben, server.id, browser), CALLBACK);
  await role("member");
  expect(refusal(await finish(ben, shared))).toMatchObject({ status: 403 });
  expect(listOf(await ada.get(`/mcp-servers/${server.id}/accounts`))).toEqual([]);
});

verifies("mcp.account.sign-in", "a person who does not agree is told so", async () => {
  scene.server.account = undefined;
  const browser = openProviderBrowser();
  const page = await browser.visit(await agree(browser));
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining("You did not agree") });
});

verifies("mcp.account.issuer", "an answer of another issuer is rejected, and its code is not sent", async () => {
  const before = scene.server.granted.length;
  scene.server.forgedIssuer = "https://evil.example";
  const page = await agree();
  expect(refusal(await finish(scene.ada, page))).toMatchObject({
    status: 400,
    message: `The answer to the sign-in names another issuer than ${scene.server.issuer}. Nothing was sent to it.`,
  });
  const without = new URL(await agree());
  without.searchParams.delete("iss");
  expect(refusal(await finish(scene.ada, without.href)).status).toBe(400);
  expect(scene.server.granted.length).toBe(before);
});

verifies("mcp.account.issuer", "a server that names another resource gets no sign-in", async () => {
  scene.server.resource = "https://other.example/mcp";
  expect(refusal(await scene.ada.post(`/mcp-servers/${id}/connect`))).toMatchObject({
    status: 400,
    message: expect.stringContaining("other.example"),
  });
});

verifies("mcp.account.sign-in", "a server without OAuth has no accounts, and an unknown one is not found", async () => {
  const { ada, service } = scene;
  const [other] = await sql<{ id: string }>(
    service.databaseUrl,
    `insert into mcp_servers (id, workspace_id, name, url, timeout_ms, info)
     values (gen_random_uuid(), $1, 'plain', 'https://localhost/', 1000, '{}') returning id`,
    [ada.session.workspace_id],
  );
  expect(refusal(await ada.post(`/mcp-servers/${other?.id}/connect`))).toMatchObject({ status: 400 });
  const nowhere = "01a20285-c3e7-70dd-9aec-c3419f58f26b";
  expect((await ada.post(`/mcp-servers/${nowhere}/connect`)).status).toBe(404);
});

verifies("mcp.account.client", "our client's metadata is at its id", async () => {
  const { url } = scene.service;
  const answer = await send("GET", `${url}/oauth/mcp/client.json`);
  expect(fieldsOf(answer)).toMatchObject({
    client_id: `${url}/oauth/mcp/client.json`,
    redirect_uris: [url + CALLBACK],
    token_endpoint_auth_method: "none",
  });
});

verifies(
  "mcp.account.muster",
  "a workspace signs in to the MCP endpoint of a Muster, and calls its agents",
  async () => {
    const { ada, api, service } = scene;
    await createAgent(api, { name: "Release Notes", is_mcp_published: true });
    const oauth = { account: "workspace" };
    const made = await ada.post("/mcp-servers", { name: "muster", url: `${service.url}/mcp`, oauth });
    const at = String(fieldsOf(made)["id"]);
    const url = await consent(service, await openAppPerson(service), await scene.begin(ada, at));
    expect((await finish(ada, url.href)).body).toMatchObject({ account_status: "connected", tool_count: 1 });
    const call = { tool: "release_notes", arguments: { message: "[[slow:0]][[say:Version 2 is out.]]" } };
    expect((await ada.post(`/mcp-servers/${at}/test`, call)).body).toMatchObject({ output: "Version 2 is out." });
    const [account] = await accountsOf(at);
    expect((await ada.delete(`/mcp-servers/${at}/accounts/${account}`)).status).toBe(204);
    await eventually("the app is revoked", async () => listOf(await ada.get("/apps")).length === 0);
  },
);

async function accountsOf(server: string): Promise<readonly string[]> {
  return listOf(await scene.ada.get(`/mcp-servers/${server}/accounts`)).map((account) => String(account["id"]));
}
