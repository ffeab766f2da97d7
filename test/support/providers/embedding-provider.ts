import { createHash } from "node:crypto";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { FakeServer } from "../fake-server.ts";

const DIMENSIONS = 384;

/**
 * A vector in place of a model's: the trigrams of a text's words, hashed into dimensions with a
 * sign. Texts that share parts of words are near each other, so that it finds other forms of a word, but it knows
 * nothing of meaning. The same for the same text, always.
 */
export function hashedTrigrams(text: string, dimensions = DIMENSIONS): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `^${word}$`;
    for (let at = 0; at + 3 <= padded.length; at++) {
      const hash = createHash("md5")
        .update(padded.slice(at, at + 3))
        .digest();
      const place = hash.readUInt32LE(0) % dimensions;
      vector[place] = (vector[place] ?? 0) + (hash.readUInt8(4) % 2 === 0 ? 1 : -1);
    }
  }
  return vector;
}

const openAi = z.object({ input: z.array(z.string()), dimensions: z.int().optional() });
const google = z.object({
  requests: z.array(z.object({ content: z.object({ parts: z.array(z.object({ text: z.string() })) }) })),
});
const googleSingle = z.object({ content: z.object({ parts: z.array(z.object({ text: z.string() })) }) });

/** A provider of embeddings on loopback, in the wire formats of OpenAI and of Google. */
export interface EmbeddingProvider {
  readonly url: string;
  /** The texts that it has embedded, in their order. */
  readonly embedded: readonly string[];
  readonly seen: FakeServer["seen"];
  /** Lets every call fail with a status, until it is called with undefined. */
  fail(status: number | undefined): void;
  /** Leaves calls from this one on without an answer, counted from 1; Infinity answers all that come from then on. */
  holdFrom(call: number): void;
  close(): Promise<void>;
}

/** Starts one. */
export async function startEmbeddingProvider(): Promise<EmbeddingProvider> {
  const embedded: string[] = [];
  let failure: number | undefined;
  let held = Infinity;
  let calls = 0;
  const embed = (text: string, dimensions?: number) => {
    embedded.push(text);
    return hashedTrigrams(text, dimensions);
  };
  const server = await startFakeServer(({ path, body }, response) => {
    calls += 1;
    if (calls >= held) return;
    if (failure !== undefined) return answerJson(response, { error: { message: "No embeddings today." } }, failure);
    const sent: unknown = JSON.parse(body);
    if (path.endsWith(":batchEmbedContents")) {
      const texts = google.parse(sent).requests.map(({ content }) => content.parts[0]?.text ?? "");
      return answerJson(response, { embeddings: texts.map((text) => ({ values: embed(text) })) });
    }
    if (path.endsWith(":embedContent")) {
      return answerJson(response, {
        embedding: { values: embed(googleSingle.parse(sent).content.parts[0]?.text ?? "") },
      });
    }
    const { input, dimensions } = openAi.parse(sent);
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: embed(text, dimensions) }));
    return answerJson(response, { object: "list", data, model: "m", usage: { prompt_tokens: 7, total_tokens: 7 } });
  });
  return {
    url: server.url,
    embedded,
    seen: server.seen,
    fail: (status) => (failure = status),
    holdFrom: (call) => (held = call),
    close: server.close,
  };
}
