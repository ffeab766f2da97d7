/** The key of the turn in which the brain of an orchestrator works. */
export const BRAIN_TURN = "brain";

/** The names of the tools with which a brain directs its workers. */
export const BRAIN_TOOLS = {
  delegate: "delegate_to_worker",
  revise: "request_revision",
  accept: "accept_result",
  finish: "final_answer",
} as const;
