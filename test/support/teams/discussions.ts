import { z } from "zod";
import type { Api } from "../api.ts";
import { openAiAgent } from "../runs.ts";
import type { ApiService } from "../runs.ts";
import type { ChatRequest } from "../scripted-provider.ts";
import { createTeam, readRun } from "../teams.ts";

const message = z.looseObject({
  sender_agent_id: z.string().nullable(),
  message_type: z.string(),
  content: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  step_idx: z.int().nullable(),
  tokens_used: z.int(),
});

/** A team that talks, and its agents' ids by their names. */
export interface DiscussionTeam {
  readonly teamId: string;
  readonly ids: Readonly<Record<string, string>>;
}

/**
 * Creates a collaboration of new agents with these names, each with the system prompt `I am <name>.`; a facilitator
 * is one more of them.
 */
export async function createDiscussion(
  service: ApiService,
  api: Api,
  team: {
    readonly names: readonly string[];
    readonly facilitator?: string;
    readonly config?: Readonly<Record<string, unknown>>;
    readonly fields?: Readonly<Record<string, unknown>>;
  },
): Promise<DiscussionTeam> {
  const { names, facilitator, config = {}, fields = {} } = team;
  const ids: Record<string, string> = {};
  for (const name of facilitator === undefined ? names : [...names, facilitator]) {
    ids[name] = await openAiAgent(service, { name, system_prompt: `I am ${name}.`, ...fields });
  }
  const made = await createTeam(api, {
    mode: "collaboration",
    config: {
      agent_ids: names.map((name) => ids[name]),
      ...(facilitator !== undefined && { facilitator_agent_id: ids[facilitator] }),
      ...config,
    },
  });
  return { teamId: made.id, ids };
}

/** Whose call it is: the name in the system prompt, or `selector` for the call that chooses a speaker. */
export function callerOf({ messages }: ChatRequest): string {
  const [system] = messages;
  return /^I am ([^.]+)\./.exec(system?.content ?? "")?.[1] ?? "selector";
}

/** The messages of a run. */
export async function messagesOf(api: Api, runId: string): Promise<z.output<typeof message>[]> {
  return z.array(message).parse((await readRun(api, runId))["messages"]);
}
