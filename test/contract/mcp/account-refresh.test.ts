import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { fieldsOf, send } from "../../support/api.ts";
import { bearer } from "../../support/accounts.ts";
import { ACCOUNT_ENV, openAccountScene } from "../../support/mcp/account-scene.ts";
import type { AccountScene } from "../../support/mcp/account-scene.ts";
import { startPeer } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let scene: AccountScene;
let peer: TestService;

beforeAll(async () => {
  scene = await openAccountScene();
  const { databaseUrl, keys } = scene.service;
  peer = await startPeer({ databaseUrl, keys, env: ACCOUNT_ENV });
});
afterAll(async () => {
  await peer.stop();
  await scene.close();
});
beforeEach(() => {
  Object.assign(scene.server, { account: "acme", tokenSeconds: 600, mood: "well" });
});

/** A connected server whose access token has expired. */
async function expired(): Promise<string> {
  const { id } = await scene.register({ account: "workspace" });
  await scene.connect(scene.ada, id);
  await age(id);
  return id;
}

async function age(id: string): Promise<void> {
  await sql(
    scene.service.databaseUrl,
    "update mcp_accounts set expires_at = clock_timestamp() - interval '1 second' where server_id = $1",
    [id],
  );
}

async function call(id: string, { url }: Pick<TestService, "url"> = scene.service) {
  const answer = await send("POST", `${url}/console/api/mcp-servers/${id}/test`, {
    headers: bearer(scene.ada.session.access_token),
    body: { tool: "whoami", arguments: {} },
  });
  return fieldsOf(answer);
}

const refreshes = (from: number) => scene.server.granted.slice(from).filter((type) => type === "refresh_token");
const statusOf = async (id: string) => fieldsOf(await scene.ada.get(`/mcp-servers/${id}`));

verifies("mcp.account.refresh-once", "of many calls in two processes, one renews the tokens for all", async () => {
  const id = await expired();
  for (const round of [1, 2, 3]) {
    const from = scene.server.granted.length;
    const calls = Array.from({ length: 12 }, (_, n) => call(id, n % 2 === 0 ? scene.service : peer));
    expect((await Promise.all(calls)).map(({ output }) => output)).toEqual(calls.map(() => "acme: "));
    expect(refreshes(from), `round ${round}`).toHaveLength(1);
    await age(id);
  }
});

verifies("mcp.account.refresh-once", "a token of less than a minute is used for more than one call", async () => {
  scene.server.tokenSeconds = 50;
  const id = await expired();
  const from = scene.server.granted.length;
  for (const output of ["acme: ", "acme: ", "acme: "]) expect(await call(id)).toMatchObject({ output });
  expect(refreshes(from)).toHaveLength(1);
});

verifies("mcp.account.refresh-once", "a token that the server rejects before it expires is renewed", async () => {
  const id = await expired();
  await call(id);
  const from = scene.server.granted.length;
  scene.server.revokeAccess();
  const answers = await Promise.all([call(id), call(id, peer), call(id)]);
  expect(answers.map(({ output }) => output)).toEqual(["acme: ", "acme: ", "acme: "]);
  expect(refreshes(from)).toHaveLength(1);
});

verifies("mcp.account.refresh-once", "a rejected token that was renewed meanwhile is not renewed again", async () => {
  const { id, name } = await scene.register({ account: "workspace" });
  await scene.connect(scene.ada, id);
  const agentId = await scene.agentOf(name);
  const run = (text: string) => scene.start(scene.ada, agentId, { name, text });
  expect(await scene.resultOf(agentId, await run("opens the connection"))).toBe("acme: opens the connection");
  const from = scene.server.granted.length;
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  scene.server.gate = () => (arrived.resolve(), released.promise);
  const slow = await run("slow");
  await arrived.promise;
  scene.server.revokeAccess();
  expect(await scene.resultOf(agentId, await run("fast"))).toBe("acme: fast");
  released.resolve();
  expect(await scene.resultOf(agentId, slow)).toBe("acme: slow");
  expect(refreshes(from)).toHaveLength(1);
});

verifies("mcp.account.refresh-unknown", "a server that fails to renew tokens is asked again", async () => {
  const id = await expired();
  scene.server.mood = "broken";
  expect(await call(id)).toMatchObject({ status: "failed", error: expect.stringContaining("could not be renewed") });
  expect(await statusOf(id)).toMatchObject({ account_status: "connected" });
  scene.server.mood = "well";
  expect(await call(id)).toMatchObject({ output: "acme: " });
});

verifies("mcp.account.refresh-unknown", "a refresh token whose answer is lost is not sent again", async () => {
  const id = await expired();
  const from = scene.server.granted.length;
  scene.server.mood = "lost";
  expect(await call(id)).toMatchObject({ status: "failed", error: expect.stringContaining("its answer was lost") });
  scene.server.mood = "well";
  expect(await call(id)).toMatchObject({ status: "failed", error: expect.stringContaining("Connect it again") });
  expect(refreshes(from)).toHaveLength(1);
  expect(await statusOf(id)).toMatchObject({ account_status: "lost" });
});

verifies("mcp.account.refresh-unknown", "nor is one that a process sent that has died since", async () => {
  const id = await expired();
  const from = scene.server.granted.length;
  await sql(
    scene.service.databaseUrl,
    `update mcp_accounts set refresh_id = gen_random_uuid(), refreshing_until = clock_timestamp() - interval '1 second'
     where server_id = $1`,
    [id],
  );
  expect(await call(id)).toMatchObject({ status: "failed", error: expect.stringContaining("its answer was lost") });
  expect(refreshes(from)).toHaveLength(0);
});
