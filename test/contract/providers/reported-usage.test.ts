import { expect } from "vitest";
import { writeEvents } from "../../support/providers/raw-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { collectFailure, question } from "./collect.ts";
import anthropic from "./fixtures/anthropic.ts";
import google from "./fixtures/google.ts";
import compatible from "./fixtures/openai-compatible.ts";
import { sseEvent } from "./provider-fixture.ts";
import type { ProviderFixture } from "./provider-fixture.ts";
import { connectTo, useRawProvider } from "./use-provider.ts";

/** What a stream has reported when it is cut, and what is known of its usage. */
interface Cut {
  readonly of: string;
  readonly fixture: ProviderFixture;
  readonly events: readonly string[];
  readonly usage: unknown;
}

const anthropicStart = sseEvent(
  {
    type: "message_start",
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 11, cache_read_input_tokens: 20, cache_creation_input_tokens: 3, output_tokens: 1 },
    },
  },
  "message_start",
);
const gemini = (usage: object) =>
  sseEvent({ candidates: [{ content: { role: "model", parts: [{ text: "Hello" }] } }], ...usage });
const chat = (chunk: object) =>
  sseEvent({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...chunk });
const said = chat({ choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: null }] });
const counted = chat({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });

const CUTS: readonly Cut[] = [
  {
    of: "Anthropic counts the prompt with the first event",
    fixture: anthropic,
    events: [anthropicStart],
    usage: { promptTokens: 34, cachedTokens: 20, cacheWriteTokens: 3 },
  },
  {
    of: "Google counts both with each event",
    fixture: google,
    events: [gemini({ usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 3, thoughtsTokenCount: 4 } })],
    usage: { promptTokens: 11, completionTokens: 7, cachedTokens: 0, reasoningTokens: 4 },
  },
  {
    of: "of Google's count before more text the prompt's holds",
    fixture: google,
    events: [gemini({ usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 3 } }), gemini({})],
    usage: { promptTokens: 11, cachedTokens: 0 },
  },
  {
    of: "Chat Completions count after the reply",
    fixture: compatible,
    events: [said, counted],
    usage: { promptTokens: 11, completionTokens: 7 },
  },
  { of: "a stream without a count has none", fixture: compatible, events: [said], usage: undefined },
];

for (const { of, fixture, events, usage } of CUTS) {
  for (const end of ["ends", "breaks"] as const) {
    verifies("providers.fault.reported-usage", `of a stream that ${end} early, ${of}`, async () => {
      await using provider = await useRawProvider((response) => {
        writeEvents(response, events);
        if (end === "ends") response.end();
        else setImmediate(() => response.destroy());
      });
      const client = await connectTo(fixture, provider);
      const { error } = await collectFailure(client, question(fixture.model, "Hi"));
      expect(error).toMatchObject({ name: "ModelError", kind: "cut", usage });
    });
  }
}
