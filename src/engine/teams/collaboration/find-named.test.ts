import { expect, test } from "vitest";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { findNamed } from "./find-named.ts";

const agent: AgentSnapshot = {
  id: "a",
  name: "",
  provider: "demo",
  model: "demo",
  fallback_model: null,
  system_prompt: "",
  temperature: 0,
  max_tokens: null,
  tools: [],
  config: {},
};
const among = ["Ann", "Mary Ann", "Anna", "R2 (2)", "C++ expert", "Bob"].map((name) => ({ agent, name }));

test.each([
  ["NEXT: Ann", "Ann"],
  ["next: **anna**", "Anna"],
  ["Bob said enough.\nNEXT: Mary Ann", "Mary Ann"],
  ["NEXT: Bob\nno, wait\nNEXT: R2 (2)", "R2 (2)"],
  ["NEXT: somebody like Zoe, but not\nBob", "Bob"],
  ["I would hear the C++ expert", "C++ expert"],
  ["After Bob, Anna should speak.", "Anna"],
  ["Bobby and Annabelle", undefined],
  ["", undefined],
])("%j names %s", (text, name) => {
  expect(findNamed(text, among)?.name).toBe(name);
});
