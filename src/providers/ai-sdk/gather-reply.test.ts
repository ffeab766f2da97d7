import { expect, test } from "vitest";
import { gatherReply } from "./gather-reply.ts";

test("reasoning in several parts is shown with an empty line between them, and recorded as it is", () => {
  const reply = gatherReply();
  const shown = ["a", "b"].flatMap((id) => [
    ...reply.add({ type: "reasoning-start", id }),
    ...reply.add({ type: "reasoning-delta", id, delta: `Thought ${id}.` }),
    ...reply.add({ type: "reasoning-end", id }),
  ]);
  expect(shown.map((chunk) => ("delta" in chunk ? chunk.delta : "")).join("")).toBe("Thought a.\n\nThought b.");
  expect(reply.parts()).toEqual([
    { type: "reasoning", text: "Thought a." },
    { type: "reasoning", text: "Thought b." },
  ]);
});
