import { inTurns, useScriptedService } from "../providers/scripted-agents.ts";
import type { Move, ScriptedAgent, ScriptedWorkspace } from "../providers/scripted-agents.ts";
import { createTeam, runIn, startRun } from "../teams.ts";
import type { RunFields } from "../teams.ts";

/** The tokens of a call of the scripted provider. */
export const TOKENS_PER_CALL = 18;

/** A brain of these moves, with these workers. */
interface Orchestra {
  readonly moves: readonly Move[];
  readonly workers: readonly ScriptedAgent[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly brainFields?: Readonly<Record<string, unknown>>;
}

/** A workspace in which orchestrated teams run. */
export interface OrchestraScene extends ScriptedWorkspace {
  /** Starts a run of a new team. */
  play(orchestra: Orchestra): Promise<{
    readonly brain: ScriptedAgent;
    readonly teamId: string;
    readonly run: RunFields;
  }>;
  /** Starts a run and waits until it has completed. */
  playToEnd(orchestra: Orchestra): Promise<{ readonly brain: ScriptedAgent; readonly run: RunFields }>;
}

/** Opens the workspace. */
export async function openOrchestraScene(): Promise<OrchestraScene> {
  const scene = await useScriptedService();
  const { api } = scene;
  const play: OrchestraScene["play"] = async ({ moves, workers, config, brainFields }) => {
    const brain = await scene.player(inTurns(...moves), brainFields);
    const ids = { brain_agent_id: brain.id, worker_agent_ids: workers.map(({ id }) => id) };
    const team = await createTeam(api, { mode: "orchestrator", config: { ...ids, ...config } });
    return { brain, teamId: team.id, run: await startRun(api, team.id, "Write about rain.") };
  };
  return {
    ...scene,
    play,
    async playToEnd(orchestra) {
      const { brain, run } = await play(orchestra);
      return { brain, run: await runIn(api, run.id, "completed") };
    },
  };
}

/** Gives a worker its work. */
export const delegate =
  ({ id }: Pick<ScriptedAgent, "id">, instruction: string): Move =>
  (reply) =>
    reply.callTool("delegate_to_worker", { agent_id: id, instruction });

/** Gives work back, with what is to be better. */
export const revise =
  (name: string, feedback: string): Move =>
  (reply) =>
    reply.callTool("request_revision", { delegation_id: name, feedback });

/** Accepts work, with a score. */
export const accept =
  (name: string, score: number): Move =>
  (reply) =>
    reply.callTool("accept_result", { delegation_id: name, score });

/** Ends the run. */
export const finish =
  (output: string): Move =>
  (reply) =>
    reply.callTool("final_answer", { output });

/** Makes several moves in one turn. */
export const both =
  (...moves: readonly Move[]): Move =>
  async (reply, call) => {
    for (const move of moves) await move(reply, call);
  };
