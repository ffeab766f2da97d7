import { expect, test } from "vitest";
import { toolsOf } from "./mcp-tools.ts";

function namesOf(...names: string[]): string[] {
  return toolsOf(names.map((name, index) => ({ id: String(index), name, description: "" }))).map(({ name }) => name);
}

test.each([
  ["Support", "support"],
  ["Data Analyst (EU)", "data_analyst_eu"],
  ["already_fine_2", "already_fine_2"],
  ["Übersetzer", "_bersetzer"],
  ["a".repeat(100), "a".repeat(64)],
])("%s becomes %s", (agent, tool) => {
  expect(namesOf(agent)).toEqual([tool]);
});

test("names in other scripts become names that differ and stay the same", () => {
  const agents = ["日本語", "한국어", "…"].map((name, index) => ({
    id: `0190aaaa-0000-7000-8000-00000000000${index}`,
    name,
  }));
  const named = (some: typeof agents) =>
    toolsOf(some.map((agent) => ({ ...agent, description: "" }))).map((tool) => tool.name);
  expect(named(agents)).toEqual(["agent_00000000", "agent_00000001", "agent_00000002"]);
  expect(named(agents.slice(1))).toEqual(["agent_00000001", "agent_00000002"]);
});

test("colliding names are numbered in order, also when an agent's own name has such a number", () => {
  expect(namesOf("Bot", "bot", "Bot 2", "BOT")).toEqual(["bot", "bot_2", "bot_2_2", "bot_3"]);
});

test("a numbered name is not longer than others", () => {
  const [, second = ""] = namesOf("x".repeat(64), "x".repeat(70));
  expect(second).toBe(`${"x".repeat(62)}_2`);
});
