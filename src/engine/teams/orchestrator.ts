import { BRAIN_TURN } from "#domain/teams/brain-tools.ts";
import { resultIssues } from "../agent/check-result.ts";
import { renderOutput } from "../agent/render-output.ts";
import { brainTools } from "./orchestrator/brain-tools.ts";
import { briefBrain } from "./orchestrator/brief-brain.ts";
import { openLedger } from "./orchestrator/ledger.ts";
import { defineTeamMode } from "./define-team-mode.ts";

/**
 * A brain delegates work to workers by tool calls, judges their results, and answers. Its complete work is one turn;
 * the workers' turns run within its tool calls.
 */
export default defineTeamMode({
  name: "orchestrator",
  async run(engine, run, config) {
    const brain = run.agent(config.brain_agent_id);
    const workers = config.worker_agent_ids.map((id) => run.agent(id));
    let iteration = 0;
    const answer = await run.turn({
      key: BRAIN_TURN,
      agent: brain,
      conversation: [{ role: "user", content: briefBrain(run, workers, config) }],
      stepName: `brain: ${brain.name}`,
      tools: brainTools({
        run,
        ledger: openLedger(run),
        brainId: brain.id,
        iteration: () => iteration,
        config,
        workers,
        resultIssues: (result) => resultIssues(engine, { ...run.job, agent: brain }, result),
      }),
      maxSteps: config.max_iterations,
      async beforeCall(call) {
        iteration = call;
        await run.atStep(call);
        return run.job.asides?.[call]?.instructions;
      },
    });
    return { output: renderOutput(run.job, brain, answer), finish: answer.finish };
  },
});
