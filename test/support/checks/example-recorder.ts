import { writeFileSync } from "node:fs";
import type { Answer } from "../api.ts";
import { RESPONSE_EXAMPLES, responseExamples } from "./api-document.ts";

const RECORDED_AT = Date.parse("2026-11-22T12:10:00Z");
const TOKEN = "3fWk9pQeXv2mB7sT4uYcRnA6dLhJ1gZo";
/** Of a long list, such as that of the templates, the first few show enough. */
const MAX_LISTED = 2;
const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Collects the answers of operations as examples for the OpenAPI document. */
export interface ExampleRecorder {
  /** Keeps the body of an answer of success as the example of its operation, and returns the answer. */
  keep(operationId: string, answer: Answer): Answer;
  /** The examples of this recording. */
  examples(): Readonly<Record<string, unknown>>;
  /** The committed examples of the operations of this recording. */
  committed(): Readonly<Record<string, unknown>>;
  /** Replaces the committed examples of these operations. */
  save(): void;
}

/**
 * Starts a recording. Ids, times, keys and tokens are replaced by fixed ones, which keep their order.
 * @param hosts what stands in the answers for loopback servers: `[url of the server, URL of the example]`
 */
export function startExampleRecording(hosts: readonly (readonly [string, string])[]): ExampleRecorder {
  const startedAt = Date.now();
  const ids = new Map<string, string>();
  const kept: Record<string, unknown> = {};

  function idOf(id: string): string {
    const example = ids.get(id) ?? `01a1f0c2-5a30-7000-8000-${(0x200 + ids.size).toString(16).padStart(12, "0")}`;
    ids.set(id, example);
    return example;
  }

  /** In whole seconds: how many milliseconds an answer took says nothing. */
  function timeOf(time: string): string {
    const seconds = Math.round((Date.parse(time) - startedAt) / 1_000);
    return new Date(RECORDED_AT + seconds * 1_000).toISOString();
  }

  function exampleOf(text: string): unknown {
    const named = hosts.reduce((rest, [url, example]) => rest.replaceAll(url, example), text);
    const replaced = named
      .replaceAll(UUID, idOf)
      .replaceAll(TIME, timeOf)
      .replaceAll(/\bmst_[a-z]*_?[\dA-Za-z]{43,49}/g, "mst_0000000000000000000000000000000000000000000")
      .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, TOKEN)
      .replaceAll(/\b(token|signature|state|code_challenge)=[\w.-]+/g, `$1=${TOKEN}`)
      .replaceAll(/"(challenge)":"[\w-]+"/g, `"$1":"${TOKEN}"`)
      .replaceAll(/\b(latency_ms|duration_ms)":\d+/g, '$1":120');
    const example: unknown = JSON.parse(replaced);
    return Array.isArray(example) ? example.slice(0, MAX_LISTED) : example;
  }

  return {
    keep(operationId, answer) {
      if (answer.status >= 300) throw new Error(`${operationId} answered ${answer.status}: ${answer.text}`);
      kept[operationId] = exampleOf(answer.text);
      return answer;
    },
    examples: () => kept,
    committed: () => {
      const all = responseExamples();
      return Object.fromEntries(Object.keys(kept).map((operationId) => [operationId, all[operationId]]));
    },
    save() {
      const all = Object.entries({ ...responseExamples(), ...kept }).toSorted(([one], [other]) =>
        one < other ? -1 : 1,
      );
      writeFileSync(RESPONSE_EXAMPLES, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
    },
  };
}

/** The names of all fields of a value, in it and below; of a list, those of its first element. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return "value";
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}
