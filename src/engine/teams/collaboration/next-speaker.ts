import { isStepFailure } from "../../run/run-failure.ts";
import { discussionSoFar, setting } from "./brief.ts";
import { turnsOf } from "./discussion.ts";
import type { Discussion, Participant } from "./discussion.ts";
import { findNamed } from "./find-named.ts";

const SELECTOR_PROMPT =
  "You choose who speaks next in a discussion of several agents: the one who can bring it forward most. " +
  'Answer with one line and nothing else: "NEXT: <name>".';

/** The next speaker, and the rule that chose it. */
export interface Choice {
  readonly speaker: Participant;
  readonly chosenBy: "round_robin" | "llm_select" | "facilitator";
}

/** Chooses the next speaker. If no name was given, it is the one after the last speaker in config order. */
export async function nextSpeaker(discussion: Discussion, turn: number): Promise<Choice> {
  const { config, roster } = discussion;
  const rule = config.speaker_selection;
  const words = rule === "llm_select" ? await askSelector(discussion, turn) : moderatorMessage(discussion);
  const named = rule === "round_robin" ? undefined : findNamed(words, roster.speakers);
  if (named !== undefined) return { speaker: named, chosenBy: rule };
  return { speaker: following(discussion), chosenBy: "round_robin" };
}

/** One model call without tools and voice; its failure does not end the discussion. */
async function askSelector(discussion: Discussion, turn: number): Promise<string> {
  const { run, roster } = discussion;
  const agent = { ...roster.selector.agent, tools: [], voice: null, system_prompt: SELECTOR_PROMPT };
  const names = roster.speakers.map(({ name }) => name).join(", ");
  const conversation = [
    { role: "user" as const, content: setting(discussion) },
    ...discussionSoFar(discussion),
    { role: "user" as const, content: `Who speaks next? One of: ${names}` },
  ];
  try {
    const answer = await run.turn({ key: `select:${turn}`, agent, conversation, stepName: `Choice ${turn + 1}` });
    return answer.text;
  } catch (error) {
    if (!isStepFailure(error)) throw error;
    return "";
  }
}

function moderatorMessage({ thread }: Discussion): string {
  const last = thread.at(-1);
  return last?.moderates === true ? last.text : "";
}

function following(discussion: Discussion): Participant {
  const { speakers } = discussion.roster;
  const last = turnsOf(discussion).at(-1);
  const index = speakers.findIndex((speaker) => speaker === last?.by) + 1;
  const speaker = speakers[index % speakers.length];
  if (speaker === undefined) throw new Error("A discussion has speakers.");
  return speaker;
}
