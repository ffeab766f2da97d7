import { afterAll, beforeAll, expect } from "vitest";
import { bearer } from "../../support/accounts.ts";
import { fieldsOf, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { ACCOUNT_ENV, openAccountScene } from "../../support/mcp/account-scene.ts";
import type { AccountScene } from "../../support/mcp/account-scene.ts";
import { startProcess } from "../../support/service.ts";
import { orderOf } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const env = { ...ACCOUNT_ENV, LEASE_MS: "2000" };
/** Longer than a process may take for a refresh. */
const DEADLINE_MS = 60_000;

let scene: AccountScene;

beforeAll(async () => {
  scene = await openAccountScene(env);
});
afterAll(() => scene.close());

verifies(
  ["mcp.account.refresh-unknown", "mcp.account.crash"],
  "after kill -9 in a refresh its token is not sent again, the owner is asked once, the run goes on",
  async () => {
    const { ada, ben, server, service } = scene;
    const { id, name } = await scene.register({ account: "person" });
    for (const [account, person] of [
      ["ada", ada],
      ["ben", ben],
    ] as const) {
      server.account = account;
      await scene.connect(person, id);
    }
    const age = `update mcp_accounts set expires_at = now() where server_id = $1 and user_id = $2`;
    await sql(service.databaseUrl, age, [id, ada.session.user.id]);
    const agentId = await scene.agentOf(name);
    const refreshes = () => server.granted.filter((type) => type === "refresh_token").length;

    server.mood = "held";
    const doomed = await startProcess({ databaseUrl: service.databaseUrl, keys: service.keys, env });
    const started = await send("POST", `${doomed.url}/functions/v1/api-tasks`, {
      headers: bearer(ada.session.access_token),
      body: {
        title: "Work",
        assigned_agent_id: agentId,
        description: orderOf(`${name}--whoami`, { text: "once" }),
      },
    });
    const task = String(fieldsOf(started)["id"]);
    await eventually("the refresh is sent", () => refreshes() === 1);
    await doomed.kill();
    server.mood = "well";

    const other = await ada.post(`/mcp-servers/${id}/test`, { tool: "whoami", arguments: {} });
    expect(other.body).toMatchObject({ status: "failed", error: expect.stringContaining("its answer was lost") });
    const question = await eventually("the run asks", () => scene.questionOf(task), DEADLINE_MS);
    expect(question.text).toContain("its answer was lost");
    expect(refreshes()).toBe(1);
    expect(server.calls).toEqual([]);
    const log = await ada.get("/audit?action=mcp_account.changed");
    expect(log.body).toMatchObject({ items: [{ changes: { status: ["connected", "lost"] } }] });

    server.account = "ada";
    await scene.connect(ada, id);
    await ada.post(`/tasks/${task}/answer`, { interactionId: question.id, approved: true });
    expect(await scene.resultOf(agentId, task)).toBe("ada: once");
    expect(server.calls).toEqual([{ tool: "whoami", account: "ada", text: "once" }]);
    const asked = await sql(service.databaseUrl, "select from closed_questions where subject_id = $1", [task]);
    expect(asked).toHaveLength(1);
  },
  { timeout: 2 * DEADLINE_MS },
);
