import { turnsOf } from "./discussion.ts";
import type { Discussion } from "./discussion.ts";

/** A facilitator ends a discussion with these words. */
export const COMPLETE = "DISCUSSION COMPLETE";

/** Whether the moderator, who spoke last, has ended the discussion. */
export function isComplete({ thread }: Discussion): boolean {
  const last = thread.at(-1);
  return last !== undefined && last.moderates && holds(last.text, COMPLETE);
}

/**
 * Whether the speakers agree: at least half of the last N contributions contain the consensus phrase, where N is the
 * number of agents in the config. With fewer than N contributions the result is false, so that every agent speaks.
 */
export function isConsensus(discussion: Discussion): boolean {
  const { termination_condition, consensus_phrase, agent_ids } = discussion.config;
  if (termination_condition !== "consensus") return false;
  const latest = turnsOf(discussion).slice(-agent_ids.length);
  if (latest.length < agent_ids.length) return false;
  const agreeing = latest.filter(({ text }) => holds(text, consensus_phrase));
  return agreeing.length * 2 >= agent_ids.length;
}

function holds(text: string, phrase: string): boolean {
  return text.toLowerCase().includes(phrase.toLowerCase());
}
