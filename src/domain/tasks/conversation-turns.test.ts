import { expect, test } from "vitest";
import { turnsOf } from "./conversation-turns.ts";
import type { Thread } from "./conversation.ts";

const runId = "01a1";

function thread(given: Partial<Thread>): Thread {
  return { id: runId, attempt: 1, title: "Hi", description: "Hi", result: null, conversation: null, ...given };
}

function user(content: string) {
  return { role: "user", content } as const;
}

function reply(content: string, attempt: number, of = runId) {
  return { role: "assistant", content, of: { runId: of, attempt } } as const;
}

test("a task without a conversation is one turn", () => {
  expect(turnsOf(thread({ description: "", result: "Hello" }))).toEqual([
    { message: "Task Title: Hi", reply: "Hello", of: { runId, attempt: 1 } },
  ]);
});

test("each reply stands with its message, and the newest attempt with the last", () => {
  const conversation = [user("1"), reply("one", 1), user("2"), reply("two", 2), user("3")];
  expect(turnsOf(thread({ attempt: 3, conversation }))).toEqual([
    { message: "1", reply: "one", of: { runId, attempt: 1 } },
    { message: "2", reply: "two", of: { runId, attempt: 2 } },
    { message: "3", reply: null, of: { runId, attempt: 3 } },
  ]);
});

test("the turns of another run or of a client come before the own ones", () => {
  const conversation = [user("1"), reply("one", 4, "other"), { role: "assistant", content: "and" } as const, user("2")];
  expect(turnsOf(thread({ conversation, result: "two" }))).toEqual([
    { message: "1", reply: "one", of: { runId: "other", attempt: 4 } },
    { message: null, reply: "and", of: null },
    { message: "2", reply: "two", of: { runId, attempt: 1 } },
  ]);
});

test("a failed attempt has the message that has no reply", () => {
  const failed = [user("1"), user("2"), reply("two", 2), user("3")];
  expect(turnsOf(thread({ attempt: 3, conversation: failed })).map(({ of }) => of?.attempt)).toEqual([1, 2, 3]);
  const again = [user("1"), reply("one", 2), user("2")];
  expect(turnsOf(thread({ attempt: 3, conversation: again })).map(({ of }) => of?.attempt)).toEqual([2, 3]);
});
