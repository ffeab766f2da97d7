import type { TeamResult } from "../define-team-mode.ts";
import { renderOutput } from "../../agent/render-output.ts";
import { turnName } from "#domain/teams/step-names.ts";
import { turnsOf } from "./discussion.ts";
import type { Contribution, Discussion, EndReason, Participant } from "./discussion.ts";
import { briefModerator, briefSpeaker } from "./brief.ts";
import { isComplete, isConsensus } from "./endings.ts";
import { nextSpeaker } from "./next-speaker.ts";
import { reuseFinishedTurn } from "./reuse-finished-turn.ts";

/** Runs the discussion until it ends; returns why. */
export async function discuss(discussion: Discussion): Promise<EndReason> {
  const { run, config } = discussion;
  for (let turn = 0; turn < config.max_turns; turn++) {
    await run.atStep(turn);
    const given = run.job.given?.[turn];
    if (given === undefined && isModeratorsTurn(discussion, turn)) {
      await moderate(discussion, turn);
      if (isComplete(discussion)) return "facilitator_decision";
    }
    await (given === undefined ? contribute(discussion, turn) : reuseFinishedTurn(discussion, turn, given));
    if (isConsensus(discussion)) return "consensus";
  }
  return "max_turns";
}

const WHY = {
  max_turns: "all turns were taken",
  consensus: "the speakers agree",
  facilitator_decision: "the facilitator closed it",
} as const satisfies Record<EndReason, string>;

/** Records why the discussion ended and returns the output, rendered with the last speaker's template. */
export async function closeDiscussion(discussion: Discussion, reason: EndReason): Promise<TeamResult> {
  const { run, thread } = discussion;
  const last = thread.at(-1);
  if (last === undefined) throw new Error("A discussion has at least one turn.");
  const turns = turnsOf(discussion).length;
  await run.recordMessage(
    {
      sender_agent_id: null,
      receiver_agent_id: null,
      message_type: "system",
      content: `The discussion ended after ${turns} ${turns === 1 ? "turn" : "turns"}: ${WHY[reason]}.`,
      metadata: { reason, turns },
      step_idx: null,
      tokens_used: 0,
    },
    "end",
  );
  const text = transcript(thread);
  const finish = last.answer?.finish ?? "stop";
  // A person's contribution gets no output template.
  if (last.answer === undefined || last.by.agent === undefined) return { output: text, finish };
  const tokensUsed = thread.reduce((sum, said) => sum + said.tokensUsed, 0);
  return { output: renderOutput(run.job, last.by.agent, { ...last.answer, tokensUsed, text }), finish };
}

/**
 * A discussion as the run's output: the last contribution, a rule, the heading "Discussion", then every contribution in
 * order under a heading with its number and speaker.
 */
function transcript(thread: readonly Contribution[]): string {
  const all = thread.map(({ by, text }, index) => `### ${index + 1}. ${by.name}\n\n${text}`);
  return [thread.at(-1)?.text ?? "", "---", "## Discussion", ...all].join("\n\n");
}

/**
 * A moderator that chooses speakers speaks before every turn; one that only ends the discussion speaks after every
 * round.
 */
function isModeratorsTurn({ roster, config }: Discussion, turn: number): boolean {
  if (roster.moderator === undefined) return false;
  return config.speaker_selection === "facilitator" || (turn > 0 && turn % roster.speakers.length === 0);
}

async function moderate(discussion: Discussion, turn: number): Promise<void> {
  const { moderator } = discussion.roster;
  if (moderator === undefined) return;
  await speak(discussion, {
    key: `moderate:${turn}`,
    by: moderator,
    stepName: `Facilitation ${turn + 1}: ${moderator.name}`,
    conversation: briefModerator(discussion, moderator),
    moderates: true,
    turn,
    metadata: { role: "facilitator" },
  });
}

async function contribute(discussion: Discussion, turn: number): Promise<void> {
  const { speaker, chosenBy } = await nextSpeaker(discussion, turn);
  await speak(discussion, {
    key: `turn:${turn}`,
    by: speaker,
    stepName: turnName(turn, speaker.name),
    conversation: [...briefSpeaker(discussion, speaker), ...addedContribution(discussion, turn)],
    moderates: false,
    turn,
    metadata: { chosen_by: chosenBy },
  });
}

/** A person's additional contribution, in a fork from this turn. */
function addedContribution({ run }: Discussion, turn: number): ReturnType<typeof briefSpeaker> {
  const { instructions } = run.job.asides?.[turn] ?? {};
  return instructions === undefined ? [] : [{ role: "user", content: instructions }];
}

interface Speech {
  readonly key: string;
  readonly by: Participant;
  readonly stepName: string;
  readonly conversation: ReturnType<typeof briefSpeaker>;
  readonly moderates: boolean;
  readonly turn: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

async function speak({ run, thread }: Discussion, speech: Speech): Promise<void> {
  const { key, by, stepName, conversation, moderates, turn, metadata } = speech;
  const answer = await run.turn({ key, agent: by.agent, conversation, stepName });
  const { text, tokensUsed } = answer;
  thread.push({ by, text, tokensUsed, answer, moderates });
  await run.recordMessage(
    {
      sender_agent_id: by.agent.id,
      receiver_agent_id: null,
      message_type: "discussion",
      content: text,
      metadata,
      step_idx: turn,
      tokens_used: tokensUsed,
    },
    key,
  );
}
