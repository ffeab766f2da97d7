import { afterAll, expect } from "vitest";
import { startAnthropic } from "../../../support/providers/strict/anthropic.ts";
import { startGoogle } from "../../../support/providers/strict/google.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says, thinks } from "../../../support/providers/strict/strict-server.ts";
import { stepOf } from "../../../support/run-steps.ts";
import { verifies } from "../../../support/verifies.ts";
import { openStrictScene, textOf } from "./strict-scene.ts";

const anthropic = await startAnthropic();
const google = await startGoogle();
const openai = await startOpenAiResponses();

afterAll(async () => void (await Promise.all([anthropic, google, openai].map((server) => server.close()))));

const CALL = { parts: [thinks("I need the time."), calls("current_time")] };
const DOWN = { status: 404, headers: { "content-type": "application/json" }, raw: "{}" };

verifies("providers.strict.summaries-on-request", "Claude's thinking is summarised only if it is shown", async () => {
  const { run, sent } = await openStrictScene("anthropic", anthropic);
  const model = "claude-sonnet-5-5";
  for (const [reasoning, thinking] of [
    [
      { effort: null, show: true },
      { type: "adaptive", display: "summarized" },
    ],
    [{ effort: null, show: false }, undefined],
  ]) {
    expect(await run({ model, reasoning }, CALL, says("Noon."))).toMatchObject({ status: "completed" });
    expect([sent(1)["thinking"], anthropic.rejected]).toEqual([thinking, []]);
  }
});

verifies("providers.strict.summaries-on-request", "OpenAI's reasoning is summarised only if it is shown", async () => {
  const { run, sent } = await openStrictScene("openai", openai);
  const model = "gpt-6-sol";
  expect(await run({ model, reasoning: { effort: null, show: true } }, CALL, says("Noon."))).toMatchObject({
    status: "completed",
  });
  expect(sent(1)).toMatchObject({
    store: false,
    reasoning: { summary: "auto" },
    include: ["reasoning.encrypted_content"],
  });
  await run({ model }, CALL, says("Noon."));
  expect([textOf(sent(1)["reasoning"] ?? {}), openai.rejected]).toEqual(["{}", []]);
  expect(textOf(sent(1))).toContain("gAAA.");
});

verifies("providers.strict.parameters", "a temperature that was left out is noted in the step", async () => {
  const { run, service } = await openStrictScene("openai", openai);
  const { id, status } = await run({ model: "gpt-6-sol", temperature: 0.2 }, says("Noon."));
  expect([status, openai.rejected]).toEqual(["completed", []]);
  const { reply } = await stepOf(service, id, "model:0");
  expect(reply?.notes).toEqual([expect.stringContaining("temperature")]);
});

verifies(
  "providers.strict.field-to-change",
  "a model that is newer than the catalogue says which of the agent's fields it rejects",
  async () => {
    const claude = await openStrictScene("anthropic", anthropic);
    const message = "`temperature` is deprecated for this model.";
    const error = { type: "error", error: { type: "invalid_request_error", message } };
    const refusal = { ...DOWN, status: 400, raw: JSON.stringify(error) };
    const newer = await claude.run({ model: "claude-next-9", temperature: 0.2 }, refusal);
    expect(newer).toMatchObject({
      status: "failed",
      error: `The model claude-next-9 failed: ${message} Set the agent's temperature to null.`,
    });
    const others = await claude.run({ model: "claude-next-9", temperature: null }, refusal);
    expect(others["error"]).toBe(`The model claude-next-9 failed: ${message}`);
    const gemini = await openStrictScene("google", google);
    const fields = { model: "gemini-4-next", temperature: null, reasoning: { effort: "minimal" } };
    expect(await gemini.run(fields, says("Noon."))).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/Thinking level MINIMAL .+\. Change the agent's reasoning\.effort\.$/),
    });
  },
);

verifies(
  "providers.strict.reasoning-not-elsewhere",
  "a fallback model gets no thinking of the first model",
  async () => {
    const { run } = await openStrictScene("anthropic", anthropic);
    const fields = { model: "claude-sonnet-5-5", fallback_models: ["claude-opus-5-5"] };
    const end = await run(fields, CALL, DOWN, CALL, says("Noon."));
    expect([end.status, end.result, anthropic.rejected]).toEqual(["completed", "Noon.", []]);
    expect(anthropic.accepted[2]?.body).toMatchObject({ model: "claude-opus-5-5" });
    expect(anthropic.accepted[2]?.text).not.toContain("signature");
  },
);
