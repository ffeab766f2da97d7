import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { send } from "../../support/api.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { stepOf } from "../../support/run-steps.ts";
import type { Script } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { taskInState } from "../../support/work.ts";

/** The window of gpt-3.5-turbo, in tokens; as bytes by its own estimate. */
const WINDOW_BYTES = 16_385 * 3;
const PART = "word ".repeat(4_000);

const created = z.looseObject({ id: z.string() });

let scene: ScriptedWorkspace;
let agent: ScriptedAgent;

beforeAll(async () => {
  scene = await useScriptedService();
  agent = await scene.player(
    ({ body }, reply) => {
      if (body.model === "gpt-4o") return reply.refuse(400, "Not today.");
      reply.say("Fallback.");
      reply.finish();
    },
    { name: "Two windows", model: "gpt-4o", fallback_models: ["gpt-3.5-turbo"], max_tokens: 1_000 },
  );
});

async function ask(input: readonly object[]) {
  const headers = { authorization: `Bearer ${scene.service.keys.api}` };
  const body = { model: "Two windows", input };
  const answer = await send("POST", `${scene.service.url}/v1/responses`, { headers, body });
  expect(answer).toMatchObject({ status: 200, body: { status: "completed" } });
  const [first, second] = agent
    .calls()
    .slice(-2)
    .map((call) => JSON.stringify(call.body));
  const { id } = created.parse(answer.body);
  return { runId: id.slice("resp_".length), first: first ?? "", second: second ?? "" };
}

verifies(
  "long-conversations.fallback",
  "a fallback with a smaller window gets extracts of the older turns",
  async () => {
    const turns = [1, 2, 3, 4, 5].flatMap((turn) => [
      { role: "user", content: `Question ${turn}.` },
      { role: "assistant", content: `${PART} Answer ${turn}.` },
    ]);
    const { runId, first, second } = await ask([...turns, { role: "user", content: "The last question." }]);
    expect(first.length).toBeGreaterThan(5 * PART.length);
    expect(second.length).toBeLessThan(WINDOW_BYTES);
    for (const said of ["Question 1.", "Extracts of its earlier part", "The last question."])
      expect(second).toContain(said);
    expect(first).not.toContain("Extracts");
    const { reply } = await stepOf(scene.service, runId, "model:0");
    expect(reply?.notes).toEqual([expect.stringContaining("whose context window is smaller")]);
  },
);

verifies(
  "long-conversations.fallback",
  "of long results in the newest turn it gets the beginning and the end",
  async () => {
    const calls = ["a", "b", "c"];
    const { first, second } = await ask([
      { role: "user", content: "Read them." },
      ...calls.map((call_id) => ({ type: "function_call", call_id, name: "read", arguments: "{}" })),
      ...calls.map((call_id) => ({
        type: "function_call_output",
        call_id,
        output: `Begin ${call_id}. ${PART} End ${call_id}.`,
      })),
    ]);
    expect(first.length).toBeGreaterThan(3 * PART.length);
    expect(second.length).toBeLessThan(WINDOW_BYTES);
    for (const said of ["Read them.", ...calls.flatMap((id) => [`Begin ${id}.`, `End ${id}.`])])
      expect(second).toContain(said);
  },
);

function modelsOf(player: ScriptedAgent): readonly string[] {
  return player.calls().map(({ body }) => body.model);
}

verifies(
  "long-conversations.fallback.skipped",
  "a fallback model that a task or a system prompt cannot fit is not called, and the next one is",
  async () => {
    const huge = PART.repeat(5).slice(0, 99_000);
    const refuses: Script = ({ body }, reply) => {
      if (body.model !== "gpt-4.1") return reply.refuse(400, "Not today.");
      reply.say("The wide one.");
      reply.finish();
    };
    const prompts = [
      { system_prompt: "", input: huge },
      { system_prompt: huge, input: "Go on." },
    ];
    for (const { system_prompt, input } of prompts) {
      const fields = { model: "gpt-4o", system_prompt, max_tokens: 1_000 };
      const narrow = await scene.player(refuses, { ...fields, fallback_models: ["gpt-3.5-turbo"] });
      const work = { description: input, agentId: narrow.id };
      const end = await taskInState(scene.api, { ...work, status: "failed" });
      expect(end["error"]).toMatch(
        /^The model gpt-3\.5-turbo failed: the prompt has at least \d{5} tokens, and its context window 16385\. /,
      );
      expect(modelsOf(narrow)).toEqual(["gpt-4o"]);
      const wide = await scene.player(refuses, { ...fields, fallback_models: ["gpt-3.5-turbo", "gpt-4.1"] });
      const done = await taskInState(scene.api, { ...work, agentId: wide.id, status: "completed" });
      expect(done).toMatchObject({ result: "The wide one." });
      expect(modelsOf(wide)).toEqual(["gpt-4o", "gpt-4.1"]);
    }
  },
);

verifies("long-conversations.fallback", "what fits its window stays as it is", async () => {
  const { first, second } = await ask([
    { role: "user", content: "Question 1." },
    { role: "assistant", content: `${PART} Answer 1.` },
    { role: "user", content: "The last question." },
  ]);
  expect(second.replace("gpt-3.5-turbo", "gpt-4o")).toBe(first);
});
