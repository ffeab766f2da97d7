import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { turnsOf } from "./discussion.ts";
import type { Discussion, Participant } from "./discussion.ts";
import { COMPLETE } from "./endings.ts";

/**
 * The prompt of a speaker: the task, the participants, the rules, the discussion so far (its own contributions as
 * assistant messages, others' with their names), and the request to speak.
 */
export function briefSpeaker(discussion: Discussion, speaker: Participant): ConversationMessage[] {
  const { max_turns } = discussion.config;
  const turn = turnsOf(discussion).length + 1;
  return [
    user(opening(discussion, speaker, speakerRules(discussion))),
    ...discussionSoFar(discussion, speaker),
    user(`It is your turn, ${speaker.name}. This is turn ${turn} of at most ${max_turns}.`),
  ];
}

/** The prompt of the moderator. */
export function briefModerator(discussion: Discussion, moderator: Participant): ConversationMessage[] {
  const left = discussion.config.max_turns - turnsOf(discussion).length;
  return [
    user(opening(discussion, moderator, moderatorRules(discussion))),
    ...discussionSoFar(discussion, moderator),
    user(`It is your turn as the facilitator, ${moderator.name}. Turns left for the others: ${left}.`),
  ];
}

/** The task, the team's memory and the participants, as sections. */
export function setting({ run, roster }: Discussion): string {
  const { speakers, moderator } = roster;
  const people = speakers.map(({ name, agent }) => `- ${name}${shortDescription(agent.system_prompt)}`);
  if (moderator !== undefined) people.push(`- ${moderator.name} (facilitator)`);
  const sections = [
    `## Task\n\n${run.job.inputTask}`,
    ...(run.memory === undefined ? [] : [`## Team Memory\n\n${run.memory}`]),
    `## Participants\n\n${people.join("\n")}`,
  ];
  return sections.join("\n\n");
}

/** The discussion so far, as messages for another participant. */
export function discussionSoFar({ thread }: Discussion, listener?: Participant): ConversationMessage[] {
  return thread
    .filter(({ text }) => text.trim() !== "")
    .map(({ by, text }) => (by === listener ? { role: "assistant", content: text } : user(`${by.name}: ${text}`)));
}

function opening(discussion: Discussion, listener: Participant, rules: readonly string[]): string {
  const list = rules.map((rule) => `- ${rule}`).join("\n");
  return `You are ${listener.name}, in a discussion of several agents.\n\n${setting(discussion)}\n\n## Rules\n\n${list}`;
}

function speakerRules({ config }: Discussion): string[] {
  const rules = [
    "What the others say is given to you with their names; speak for yourself only, without your name before it.",
    "Build on what was said: add, question or decide, and do not repeat it.",
  ];
  if (config.termination_condition !== "consensus") return rules;
  return [...rules, `Once you agree with where the discussion has come to, say: ${config.consensus_phrase}`];
}

function moderatorRules({ config, roster }: Discussion): string[] {
  const end = `When the task is solved, sum up the result and end your words with: ${COMPLETE}`;
  if (config.speaker_selection !== "facilitator") return [`Say what is still missing. ${end}`];
  const names = roster.speakers.map(({ name }) => name).join(", ");
  return ["Lead the discussion to a result.", `End your words with a line "NEXT: <name>", one of: ${names}`, end];
}

const BRIEF_LENGTH = 200;

/** The first line of an agent's system prompt describes it to the others. */
function shortDescription(systemPrompt: string): string {
  const line = systemPrompt.trim().split("\n", 1).join("");
  if (line === "") return "";
  return `: ${line.length > BRIEF_LENGTH ? `${line.slice(0, BRIEF_LENGTH)}…` : line}`;
}

function user(content: string): ConversationMessage {
  return { role: "user", content };
}
