import type { FinishReason } from "#domain/models/reply-parts.ts";
import { RunFailure } from "../../run/run-failure.ts";
import type { TeamRun, TurnRequest } from "../run/team-run-context.ts";
import type { TurnAnswer } from "../../agent/turn-answer.ts";

/** What makes an answer incomplete, as its step's failure says. */
const INCOMPLETE: Partial<Readonly<Record<FinishReason, string>>> = {
  length: "it reached the maximum length of a reply (max_tokens)",
  content_filter: "the provider filtered it",
  refusal: "the model refused to go on",
};

/**
 * Takes a turn whose answer the next step will rely on.
 * @throws RunFailure when the answer is incomplete, so that the step's `on_failure` applies; otherwise as TeamRun.turn
 */
export async function takeCompleteTurn(run: TeamRun, request: TurnRequest): Promise<TurnAnswer> {
  const answer = await run.turn(request);
  const why = INCOMPLETE[answer.finish];
  if (why === undefined) return answer;
  const code = answer.finish === "length" ? "REPLY_CUT" : "MODEL_REFUSED";
  throw new RunFailure(code, `The answer of ${request.agent.name} is incomplete: ${why}.`);
}
