import { apiOf } from "../api.ts";
import type { Api } from "../api.ts";
import { startScriptedProvider } from "../scripted-provider.ts";
import type { ChatRequest, ProviderReply, ScriptedProvider } from "../scripted-provider.ts";
import { startService } from "../service.ts";
import { openWorkspaceIn } from "../shared-service.ts";
import type { SharedService } from "../shared-service.ts";
import { runIn, startRun } from "../teams.ts";
import type { RunFields } from "../teams.ts";
import { callerOf, messagesOf } from "./discussions.ts";
import type { DiscussionTeam } from "./discussions.ts";

/** What a called member says; the caller's name and its number of earlier calls select it. */
export type Words = (who: string, nth: number, reply: ProviderReply) => string | Promise<string>;

/** A call of a member of a team. */
export interface MemberCall {
  readonly who: string;
  readonly body: ChatRequest;
}

/** A workspace whose teams say what a test lets them say, in a service without second tries of a model. */
export interface DiscussionScene {
  readonly service: SharedService;
  readonly api: Api;
  readonly provider: ScriptedProvider;
  /** Sets what the members say from now on, and forgets their calls. */
  say(words: Words): void;
  /** Lets a team discuss with these contributions, and returns the run when it is in the state. */
  discuss(team: DiscussionTeam, words: Words, status?: string): Promise<RunFields>;
  /** The calls of the members since then. */
  calls(): readonly MemberCall[];
  callers(): readonly string[];
  sentTo(call: number): readonly (readonly unknown[])[];
}

let shared: ReturnType<typeof start> | undefined;

/** Opens a workspace in the service that this worker keeps for all files with discussions. */
export async function openDiscussionScene(): Promise<DiscussionScene> {
  const { provider, service: kept, talk } = await (shared ??= start());
  const service = await openWorkspaceIn(kept);
  const api = apiOf(service, service.keys.api);
  const say = (words: Words) => void Object.assign(talk, { words, calls: [] });
  return {
    service,
    api,
    provider,
    say,
    async discuss({ teamId }, words, status = "completed") {
      say(words);
      const { id } = await startRun(api, teamId, "Find a name.");
      return runIn(api, id, status);
    },
    calls: () => talk.calls,
    callers: () => talk.calls.map(({ who }) => who),
    sentTo: (call) => talk.calls[call]?.body.messages.map(({ role, content }) => [role, content]) ?? [],
  };
}

async function start() {
  const talk: { words: Words; calls: MemberCall[] } = { words: () => "", calls: [] };
  const provider = await startScriptedProvider(async ({ body }, reply) => {
    const who = callerOf(body);
    const nth = talk.calls.filter((call) => call.who === who).length;
    talk.calls.push({ who, body });
    const text = await talk.words(who, nth, reply);
    if (text === "") return;
    reply.say(text);
    reply.finish();
  });
  const service = await startService({ env: { ...provider.env, MODEL_ATTEMPTS: "1" } });
  return { provider, service, talk };
}

/** The member that contributed in each turn, and the rule that chose it. */
export async function turnsOf(api: Api, run: RunFields, { ids }: DiscussionTeam): Promise<unknown[][]> {
  const nameOf = (id: string | null) => Object.keys(ids).find((name) => ids[name] === id);
  const messages = await messagesOf(api, run.id);
  return messages
    .filter(({ metadata }) => "chosen_by" in metadata)
    .map(({ sender_agent_id, metadata }) => [nameOf(sender_agent_id), metadata["chosen_by"]]);
}

/** How the run's discussion ended. @throws Error unless it says so once */
export async function endOf(api: Api, run: RunFields): Promise<unknown> {
  const [end, ...others] = (await messagesOf(api, run.id)).filter(({ message_type }) => message_type === "system");
  if (end === undefined || others.length > 0) throw new Error("The discussion does not have one end.");
  return end.metadata;
}
