import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { inTurns, toolResults, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { send } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

let scene: ScriptedWorkspace;

beforeAll(async () => {
  scene = await useScriptedService();
});

verifies(
  ["replies.continued", "replies.integers"],
  "the next message of a conversation comes after all that the agent called and said",
  async () => {
    const agent = await scene.player(
      inTurns((reply) => {
        reply.say("Let me look.");
        reply.callTool("current_time", '{"timezone":"UTC","id":1198765432109876543}', "look_1");
      }),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "Look", assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "completed");
    const asked = await send("POST", `${scene.service.url}/v1/responses`, {
      headers: { authorization: `Bearer ${scene.service.keys.api}` },
      body: { model: agent.id, previous_response_id: `resp_${id}`, input: "And now?" },
    });
    expect([asked.status, asked.text]).toEqual([200, asked.text]);
    const last = agent.calls().at(-1);
    expect(last?.body.messages.slice(1).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(toolResults(last)).toHaveLength(1);
    const said = z
      .looseObject({
        content: z.string(),
        tool_calls: z.array(z.looseObject({ function: z.looseObject({ arguments: z.string() }) })),
      })
      .parse(last?.body.messages[2]);
    expect(said.content).toBe("Let me look.");
    expect(said.tool_calls[0]?.function.arguments).toBe('{"timezone":"UTC","id":1198765432109876543}');
  },
);
