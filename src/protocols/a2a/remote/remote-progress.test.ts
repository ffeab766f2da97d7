import { expect, test } from "vitest";
import { createProgressCollector } from "./remote-progress.ts";

const ofTask = (status: object, parts: readonly object[] = []) => ({
  task: { id: "t", status, artifacts: [{ artifactId: "a", parts }] },
});

test("texts continue each other; data and links are paragraphs of their own", () => {
  const collector = createProgressCollector();
  const parts = [{ text: "One " }, { text: "two." }, { data: { a: 1 } }, { url: "https://x.example/f", filename: "f" }];
  collector.add(ofTask({ state: "TASK_STATE_COMPLETED" }, [...parts, { text: "Three." }]));
  expect(collector.progress.text).toBe('One two.\n\n{"a":1}\n\n[f](https://x.example/f)\n\nThree.');
});

test("a status says its text, and its data only without one", () => {
  const saying = (parts: readonly object[]) => {
    const collector = createProgressCollector();
    collector.add(ofTask({ state: "TASK_STATE_INPUT_REQUIRED", message: { parts } }));
    return collector.progress.statusText;
  };
  expect(saying([{ text: "Which?" }, { data: { choices: ["a"] } }])).toBe("Which?");
  expect(saying([{ data: { choices: ["a"] } }])).toBe('{"choices":["a"]}');
  expect(saying([])).toBe("");
});

test("a paused task without a text of its own says the agent's last message of the history", () => {
  const history = [
    { role: "user", parts: [{ text: "Hello" }] },
    { role: "agent", parts: [{ text: "Good day." }] },
  ];
  const textOf = (task: object) => {
    const collector = createProgressCollector();
    collector.add({ kind: "task", id: "t", history, ...task });
    return collector.progress.text;
  };
  expect(textOf({ status: { state: "completed" } })).toBe("Good day.");
  expect(textOf({ status: { state: "working" } })).toBe("");
  expect(textOf({ status: { state: "completed" }, history: history.slice(0, 1) })).toBe("");
  expect(textOf({ status: { state: "completed", message: { parts: [{ text: "Done." }] } } })).toBe("");
  const artifacts = [{ parts: [{ text: "One." }] }, { parts: [{ text: "Two." }] }];
  expect(textOf({ status: { state: "completed" }, artifacts })).toBe("One.\n\nTwo.");
});
