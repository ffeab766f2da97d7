import type { GivenPart } from "#domain/teams/run-fork.ts";
import type { Discussion, Speaker } from "./discussion.ts";

const PERSON = "A person";

/**
 * Reuses a turn that a fork does not repeat. Messages of the other run are copied already; only a person's contribution
 * in place of an agent's gets a new message.
 */
export async function reuseFinishedTurn(
  { run, roster, thread }: Discussion,
  turn: number,
  parts: readonly GivenPart[],
): Promise<void> {
  const known = [...roster.speakers, ...(roster.moderator === undefined ? [] : [roster.moderator])];
  for (const { name, text, agent_id: id, moderates = false, tokens_used: tokensUsed = 0 } of parts) {
    const by: Speaker = known.find(({ agent }) => agent.id === id) ?? { name: name === "" ? PERSON : name };
    thread.push({ by, text, tokensUsed, moderates });
    if (name !== "") continue;
    await run.recordMessage(
      {
        sender_agent_id: null,
        receiver_agent_id: null,
        message_type: "discussion",
        content: text,
        metadata: { by: "person" },
        step_idx: turn,
        tokens_used: 0,
      },
      `turn:${turn}`,
    );
  }
}
