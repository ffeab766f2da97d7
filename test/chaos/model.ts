import { speakerOf } from "../support/teams/crew.ts";
import type { ProviderCall } from "../support/scripted-provider.ts";
import { kindOf } from "./titles.ts";
import type { Dice } from "#lib/dice.ts";

/** A model's answer: a number of words, then these tool calls. */
export interface Line {
  readonly words: number;
  readonly calls: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[];
}

/** A person answers each with its own words. */
const QUESTIONS = ["Which colour?", "Which size?"] as const;
const WORKER = /\(agent_id: ([0-9a-f-]{36})\)/g;

/**
 * What a model says in a turn of a conversation: the same however often it is asked.
 * @param dice those of the conversation's turn
 * @param mark is in the answer, to tell it from all others
 */
export function lineOf(call: ProviderCall, dice: Dice, mark: string): Line {
  const words = dice.whole(1, 25);
  const calls = speakerOf(call) === "Brain" ? brainCalls(call, mark) : ownCalls(call, dice);
  return { words, calls };
}

/** Whether a question was answered with what was meant for another one. */
export function isMisled({ task, turn, body }: ProviderCall): boolean {
  const question = QUESTIONS[turn - 1];
  if (kindOf(task) !== "asks" || question === undefined) return false;
  return body.messages.at(-1)?.content?.includes(question) !== true;
}

/** An agent's own behaviour: it uses tools as long as its work asks for it. */
function ownCalls({ task, turn }: ProviderCall, dice: Dice): Line["calls"] {
  const wait = ["wait", { seconds: dice.whole(5, 40) / 100 }] as const;
  switch (kindOf(task)) {
    case "tools":
      return turn < 2 ? [wait, ["current_time", {}]] : [];
    case "guarded":
      return turn === 0 ? [wait] : [];
    case "asks":
      return turn < QUESTIONS.length ? [["request_input", { title: QUESTIONS[turn] }]] : turn === 2 ? [wait] : [];
    case "pipeline":
      return turn === 0 && dice.chance(0.5) ? [wait] : [];
    default:
      return [];
  }
}

/** A brain has two workers work concurrently, lets the second one do better, and answers. */
function brainCalls({ task, turn, body }: ProviderCall, mark: string): Line["calls"] {
  const text = body.messages.map(({ content }) => content ?? "").join("\n");
  const workers = [...text.matchAll(WORKER)].map(([, id = ""]) => id).slice(0, 2);
  switch (turn) {
    case 0:
      return workers.map((agent_id, part) => [
        "delegate_to_worker",
        { agent_id, instruction: `Task Title: ${task}\nPart ${part}.` },
      ]);
    case 1:
      return [
        ["accept_result", { delegation_id: "d1", score: 0.9 }],
        ["request_revision", { delegation_id: "d2", feedback: `Task Title: ${task}\nDo better.` }],
      ];
    case 2:
      return [["accept_result", { delegation_id: "d2", score: 1 }]];
    default:
      return [["final_answer", { output: `${mark} all of it` }]];
  }
}
