import { afterAll, expect } from "vitest";
import { createTextTool, isSummary, messagesOf, readsParts, startTexts } from "../../../support/long-run.ts";
import { startCompatible } from "../../../support/providers/strict/compatible.ts";
import { stepOf, stepsOf } from "../../../support/run-steps.ts";
import { verifies } from "../../../support/verifies.ts";
import { openStrictScene } from "./strict-scene.ts";

const WINDOW = 4_000;
const PARTS = 22;
const vendor = await startCompatible("vllm", WINDOW);
const texts = await startTexts(1_000);

afterAll(async () => void (await Promise.all([vendor.close(), texts.close()])));

async function openLongScene() {
  const scene = await openStrictScene("openai-compatible", vendor);
  const tool = await createTextTool(scene.service, texts);
  const fields = { model: "small-9", tools: [tool], config: { context_window: WINDOW } };
  return { ...scene, fields };
}

verifies(
  ["long-conversations.fit", "long-conversations.task", "long-conversations.shown", "long-conversations.recorded"],
  "a run of many turns fits a small window with recorded summaries",
  async () => {
    const { run, service, fields } = await openLongScene();
    const end = await run(fields, readsParts(PARTS));
    expect([end.status, end.result, vendor.rejected]).toEqual(["completed", "Done.", []]);
    const summaries = vendor.accepted.filter(isSummary);
    expect(summaries.length).toBeGreaterThan(1);
    expect(vendor.accepted.length).toBe(PARTS + 1 + summaries.length);

    const last = messagesOf(vendor.accepted.at(-1));
    expect(last[1]).toMatchObject({ role: "user", content: expect.stringContaining("Do it.") });
    expect(last[2]).toMatchObject({ role: "user", content: expect.stringMatching(/Summary after part \d+\./) });

    const steps = await stepsOf(service, end.id);
    const rows = steps.filter(({ kind }) => kind === "summary");
    expect(rows.map(({ status, model }) => [status, model])).toEqual(summaries.map(() => ["completed", "small-9"]));
    const detail = await stepOf(service, end.id, rows[0]?.key ?? "");
    expect(detail.reply?.text).toMatch(/^Summary after part \d+\.$/);
    expect(detail.request?.messages[1]).toMatchObject({ content: expect.stringContaining('end of {"part":1}') });
    const first = await stepOf(service, end.id, "tool:call_1");
    expect(first.result).toContain('end of {"part":1}');
    const paid = steps.reduce((sum, { prompt_tokens: tokens = 0 }) => sum + tokens, 0);
    expect(end.usage["prompt_tokens"]).toBe(paid);
  },
);
