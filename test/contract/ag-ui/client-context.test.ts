import { HttpAgent } from "@ag-ui/client";
import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { send } from "../../support/api.ts";
import { inTurns, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";

const CONTEXT = [{ description: "The page", value: '{"order":17}' }];

let workspace: ScriptedWorkspace;
let agent: ScriptedAgent;

beforeAll(async () => {
  workspace = await useScriptedService();
  agent = await workspace.player(inTurns());
});

function clientOf(): HttpAgent {
  const { url, keys } = workspace.service;
  return new HttpAgent({ url: `${url}/ag-ui/${agent.id}/sse`, headers: { authorization: `Bearer ${keys.agui}` } });
}

/** What the model was sent last: the texts of the user's messages. */
function userTexts(): (string | null | undefined)[] {
  const messages = agent.calls().at(-1)?.body.messages ?? [];
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

verifies(
  "ag-ui.standard.context",
  "context and system messages follow the words of the user, once while they stay the same",
  async () => {
    const client = clientOf();
    client.addMessage({ id: newId(), role: "system", content: "Answer in German." });
    client.addMessage({ id: newId(), role: "user", content: "Where is it?" });
    await client.runAgent({ context: CONTEXT });
    const [first, ...none] = userTexts();
    expect(none).toEqual([]);
    expect(first).toMatch(/^Where is it\?\n\n## From the user's application\n\n.*did not write it.*/);
    expect(first).toMatch(/\n\nAnswer in German\.\n\n### The page\n\n\{"order":17\}$/);
    const [system] = agent.calls().at(-1)?.body.messages ?? [];
    expect(system?.content).not.toContain("German");

    client.addMessage({ id: newId(), role: "user", content: "And now?" });
    await client.runAgent({ context: CONTEXT });
    expect(userTexts()).toEqual([first, "And now?"]);

    client.addMessage({ id: newId(), role: "user", content: "And here?" });
    await client.runAgent({ context: [{ description: "The page", value: "start" }] });
    const [, , third] = userTexts();
    expect(third).toMatch(/^And here\?\n\n## From.*Answer in German\.\n\n### The page\n\nstart$/s);
  },
);

verifies("ag-ui.standard.context", "a client without any of them adds nothing to the message", async () => {
  const client = clientOf();
  client.addMessage({ id: newId(), role: "developer", content: "  " });
  client.addMessage({ id: newId(), role: "user", content: "Hello" });
  await client.runAgent();
  expect(userTexts()).toEqual(["Hello"]);
});

verifies("ag-ui.standard.context", "values that are JSON, and instructions in parts, are texts", async () => {
  const messages = [
    { role: "system", content: [{ type: "text", text: "Be brief." }] },
    { id: newId(), role: "user", content: "Hi" },
  ];
  await post({ messages, context: [{ description: "Cart", value: { items: 2 } }] });
  expect(userTexts()[0]).toMatch(/Be brief\.\n\n### Cart\n\n\{"items":2\}$/);
});

verifies("ag-ui.standard.context-errors", "an invalid context is 400 and starts nothing", async () => {
  const before = agent.calls().length;
  const messages = [{ id: newId(), role: "user", content: "Hi" }];
  const refusals = [
    ["near the door", "context"],
    [[{ value: "no description" }], "context.0.description"],
    [[{ description: "Long", value: "x".repeat(100_001) }], "more than 100000"],
  ] as const;
  for (const [context, says] of refusals) {
    const { status, body } = await post({ messages, context });
    expect([status, body]).toEqual([400, { error: expect.stringContaining(says) }]);
  }
  expect(agent.calls()).toHaveLength(before);
});

function post(fields: object) {
  const { url, keys } = workspace.service;
  const headers = { authorization: `Bearer ${keys.agui}` };
  return send("POST", `${url}/ag-ui/${agent.id}/sse`, { headers, body: { threadId: newId(), ...fields } });
}
