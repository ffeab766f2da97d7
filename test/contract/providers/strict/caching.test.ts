import { afterAll, expect } from "vitest";
import { startAnthropic } from "../../../support/providers/strict/anthropic.ts";
import { startGoogle } from "../../../support/providers/strict/google.ts";
import { startOpenAiResponses } from "../../../support/providers/strict/openai-responses.ts";
import { calls, says, thinks } from "../../../support/providers/strict/strict-server.ts";
import { verifies } from "../../../support/verifies.ts";
import { openStrictScene } from "./strict-scene.ts";

const TURNS = 10;
/** About 10,000 tokens. */
const PROMPT = "The rules of the house are long, and everybody keeps them. ".repeat(690);

const VENDORS = [
  { provider: "anthropic", model: "claude-sonnet-5-5", vendor: await startAnthropic() },
  { provider: "openai", model: "gpt-6-sol", vendor: await startOpenAiResponses() },
  { provider: "google", model: "gemini-4-argon", vendor: await startGoogle() },
];

afterAll(async () => void (await Promise.all(VENDORS.map(({ vendor }) => vendor.close()))));

for (const { provider, model, vendor } of VENDORS) {
  verifies("providers.strict.cache-share", `most of a loop's input is read from the cache of ${provider}`, async () => {
    const { run } = await openStrictScene(provider, vendor);
    const zones = ["UTC", "CET", "EST", "MST", "HST", "EET", "WET", "MET", "PST8PDT"];
    const turns = zones.slice(0, TURNS - 1).map((time_zone) => ({
      parts: [thinks("Next."), calls("current_time", { time_zone })],
    }));
    const end = await run({ model, system_prompt: PROMPT }, ...turns, says("Done."));
    expect([end.status, vendor.rejected, vendor.accepted.length]).toEqual(["completed", [], TURNS]);
    const { prompt_tokens: prompt = 0, cached_tokens: cached = 0 } = end.usage;
    const first = await run({ model, system_prompt: PROMPT }, says("Done.")); // as long as the first call of the loop
    const later = prompt - (first.usage["prompt_tokens"] ?? 0);
    expect(cached / later).toBeGreaterThanOrEqual(0.7);
  });
}
