import { setTimeout as sleep } from "node:timers/promises";
import { useScriptedService } from "./providers/scripted-agents.ts";
import type { ProviderCall, ProviderReply, Script } from "./scripted-provider.ts";
import type { SharedService } from "./shared-service.ts";

const BETWEEN_WORDS_MS = 5;

/** What the agent says unless the title of its task asks for something else. */
export const WORDS = ["Noon ", "is ", "near."];

/** An agent whose model can be held between its words. */
export interface StreamScene {
  readonly service: SharedService;
  readonly agentId: string;
  /** Lets the model continue that waits at the gate. */
  release(): void;
}

/** Opens its workspace in the scripted service. */
export async function openStreamScene(): Promise<StreamScene> {
  const { script, release } = gatedScript();
  const { service, player } = await useScriptedService();
  return { service, agentId: (await player(script, { tools: ["current_time"] })).id, release };
}

/** What the model of that agent does: the task's title selects it, and says where the model waits at the gate. */
export function gatedScript(): { readonly script: Script; release(): void } {
  let gate = Promise.withResolvers<void>();

  async function script({ task, turn, nth }: ProviderCall, reply: ProviderReply): Promise<void> {
    if (task === "hangs") return;
    if (task === "hangs in a word") return reply.say("Noo");
    if (task === "is rejected") return reply.refuse(400, "This provider says no.");
    if (task === "aborts once" && nth === 1) {
      reply.say("Noo");
      await gate.promise;
      return reply.abortConnection();
    }
    if (task === "asks a tool" && turn === 0) {
      reply.say("Let me look.");
      reply.callTool("current_time", { time_zone: "UTC" });
    } else {
      await sayWords(task, reply);
    }
    reply.finish();
  }

  async function sayWords(task: string, reply: ProviderReply): Promise<void> {
    const rounds = task === "talks a while" ? 10 : 1;
    for (let round = 0; round < rounds; round++) {
      for (const [index, word] of WORDS.entries()) {
        reply.say(word);
        if (task === "word by word" || (task === "pauses behind a word" && index === 0)) await gate.promise;
        if (task === "talks a while") await sleep(BETWEEN_WORDS_MS);
      }
    }
  }

  return {
    script,
    release() {
      gate.resolve();
      gate = Promise.withResolvers();
    },
  };
}
