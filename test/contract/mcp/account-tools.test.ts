import { afterAll, beforeAll, expect } from "vitest";
import { fieldsOf, listOf, refusal } from "../../support/api.ts";
import { openAccountScene } from "../../support/mcp/account-scene.ts";
import type { AccountScene, SignedInPerson } from "../../support/mcp/account-scene.ts";
import { orderOf } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let scene: AccountScene;
let id: string;
let name: string;

beforeAll(async () => {
  scene = await openAccountScene();
  ({ id, name } = await scene.register({ account: "person" }));
  scene.server.ownTools.set("ada", ["payroll"]);
});
afterAll(() => scene.close());

async function connect(person: SignedInPerson, account: string): Promise<void> {
  scene.server.account = account;
  expect((await scene.connect(person, id)).status).toBe(303);
}

async function seenBy(person: SignedInPerson): Promise<readonly unknown[]> {
  const listed = listOf(await person.get(`/mcp-servers/${id}/tools`)).map((tool) => tool["name"]);
  expect(fieldsOf(await person.get(`/mcp-servers/${id}`))["tool_count"]).toBe(listed.length);
  const all = await person.get("/mcp-servers/tools");
  for (const tool of ["whoami", "payroll"]) expect(all.text.includes(`${name}/${tool}`)).toBe(listed.includes(tool));
  return listed;
}

async function run(person: SignedInPerson | AccountScene["api"], agentId: string, [tool, args]: [string, object]) {
  const body = { title: "Work", assigned_agent_id: agentId, description: orderOf(`${name}--${tool}`, args) };
  const made = "session" in person ? await person.startTask(body) : await person.post("/api-tasks", body);
  return String(fieldsOf(made)["id"]);
}

async function answer(person: SignedInPerson, task: string): Promise<void> {
  const { id: interactionId } = await scene.questionOf(task);
  expect((await person.post(`/tasks/${task}/answer`, { interactionId, approved: true })).status).toBe(200);
}

verifies("mcp.account.tools", "people see the tools of their own account only", async () => {
  const { ada, ben } = scene;
  const none = refusal(await ada.post(`/mcp-servers/${id}/refresh`));
  expect(none).toMatchObject({ status: 409, message: expect.stringContaining("You have no account") });
  await connect(ada, "ada");
  expect(await seenBy(ada)).toEqual(["whoami", "payroll"]);
  expect(await seenBy(ben)).toEqual([]);
  await connect(ben, "ben");
  expect(await seenBy(ben)).toEqual(["whoami"]);
  expect((await ada.get("/audit?limit=100")).text).not.toContain("payroll");
  const unknown = await ben.post(`/mcp-servers/${id}/test`, { tool: "nothing", arguments: {} });
  expect(refusal(unknown).status).toBe(400);
  expect(unknown.text).not.toContain("payroll");
});

verifies("mcp.account.tools", "an agent offers a run the tools of who started it", async () => {
  const { ada, ben, server, api } = scene;
  const agentId = (await createAgent(api, { tools: [`mcp:${name}/payroll`, `mcp:${name}/whoami`] })).id;
  expect(await scene.resultOf(agentId, await run(ada, agentId, ["payroll", { text: "mine" }]))).toBe("ada: mine");
  const other = await scene.resultOf(agentId, await run(ben, agentId, ["payroll", { text: "hers" }]));
  expect(other).toBe(`There is no tool "${name}--payroll". Available: ${name}--whoami.`);
  const lent = await run(api, agentId, ["payroll", { text: "lent" }]);
  await answer(ben, lent);
  expect(await scene.resultOf(agentId, lent)).toBe(`The account at ${name} has no tool payroll.`);
  expect(server.calls.map(({ text }) => text)).toEqual(["mine"]);
});

verifies(
  "mcp.account.tools",
  "who has no account is told nothing of a tool, until his own account shows it",
  async () => {
    const { ada, ben, server, api } = scene;
    const agentId = (await createAgent(api, { tools: [`mcp:${name}/payroll`] })).id;
    const accounts = listOf(await ben.get(`/mcp-servers/${id}/accounts`));
    const own = accounts.find(({ person }) => JSON.stringify(person).includes(ben.session.user.id));
    expect((await ben.delete(`/mcp-servers/${id}/accounts/${String(own?.["id"])}`)).status).toBe(204);
    expect(await seenBy(ben)).toEqual([]);
    const wrong = await run(ben, agentId, ["payroll", { words: "guessed" }]);
    const right = await run(ben, agentId, ["payroll", { text: "guessed well" }]);
    expect((await scene.questionOf(wrong)).text).not.toContain("A tool of ada");
    server.ownTools.set("ben", ["payroll"]);
    await connect(ben, "ben");
    for (const task of [wrong, right]) await answer(ben, task);
    expect(await scene.resultOf(agentId, wrong)).toContain("The arguments do not fit the tool's schema");
    expect(await scene.resultOf(agentId, right)).toBe("ben: guessed well");
    await ada.patch(`/agents/${agentId}`, { name: "Still saved" });
  },
);

verifies("mcp.account.tools", "tools of personal accounts are not held", async () => {
  const { ada } = scene;
  const { status, paths } = refusal(await ada.patch(`/mcp-servers/${id}`, { on_change: "hold" }));
  expect({ status, paths }).toEqual({ status: 400, paths: ["on_change"] });
});
