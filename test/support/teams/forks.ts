import { z } from "zod";
import { consoleOf } from "../api.ts";
import type { Answer } from "../api.ts";
import { useScriptedService } from "../providers/scripted-agents.ts";
import type { Move, ScriptedAgent, ScriptedWorkspace } from "../providers/scripted-agents.ts";
import { createTeam, runIn, startRun } from "../teams.ts";
import type { RunFields } from "../teams.ts";
import { sql } from "../workspace.ts";

/** The tokens of a call of the scripted provider. */
export const TOKENS = 18;

/** A workspace whose scripted teams run and are forked. */
export interface ForkScene extends ScriptedWorkspace {
  /** Sends a request to the console's API. */
  post(path: string, body?: unknown): Promise<Answer>;
  fork(id: string, from: number, changes?: object): Promise<Answer>;
  /** Waits until the run that was begun is in a state. @throws Error when none was begun */
  begun(answer: Answer, status?: string): Promise<RunFields>;
  /** Starts a run of a new team and waits until it is in a state. */
  played(mode: string, config: object, status?: string): Promise<RunFields>;
  /** The types of the events of a run, in order. */
  eventTypes(id: string): Promise<string[]>;
  /** A member who says `Red`, then `Blue`, and so on, in any conversation. */
  speaker(...words: readonly (string | Move)[]): Promise<ScriptedAgent>;
}

/** Opens the workspace. */
export async function openForkScene(): Promise<ForkScene> {
  const scene = await useScriptedService();
  const { service, api } = scene;
  const post: ForkScene["post"] = (path, body = {}) => consoleOf(service, service.keys.api).post(path, body);
  return {
    ...scene,
    post,
    fork: (id, from, changes) => post(`/runs/${id}/fork`, { from_step: from, ...(changes && { changes }) }),
    begun({ status, text, body }, state = "completed") {
      if (status !== 201) throw new Error(`No run was begun: ${status} ${text}`);
      return runIn(api, z.looseObject({ id: z.uuid() }).parse(body).id, state);
    },
    async played(mode, config, status = "completed") {
      const team = await createTeam(api, { mode, config });
      const run = await startRun(api, team.id, "Name a colour.");
      return runIn(api, run.id, status);
    },
    async eventTypes(id) {
      const query = "select event->>'type' as type from task_log where log_id = $1 order by seq";
      return (await sql<{ type: string }>(service.databaseUrl, query, [id])).map(({ type }) => type);
    },
    speaker(...words) {
      let call = 0;
      return scene.player(async (asked, reply) => {
        const next = words[call++] ?? "Enough.";
        await (typeof next === "string" ? says(next) : next)(reply, asked);
        reply.finish();
      });
    },
  };
}

/** The messages of a call, by roles. */
export function told(player: ScriptedAgent, call: number): string {
  const messages = player.calls()[call]?.body.messages ?? [];
  return messages.map(({ role, content }) => `${role}: ${content ?? ""}`).join("\n");
}

/** Calls a tool. */
export const calls =
  (name: string, args: object): Move =>
  (reply) =>
    reply.callTool(name, args);

/** Says a text. */
export const says =
  (text: string): Move =>
  (reply) =>
    reply.say(text);

/** Rejects the call. */
export const refuses: Move = (reply) => reply.refuse(400, "not today");
