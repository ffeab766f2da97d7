import { z } from "zod";
import { apiOf, consoleOf } from "../api.ts";
import type { Answer } from "../api.ts";
import { eventually } from "../eventually.ts";
import { openAiAgent } from "../runs.ts";
import type { ApiService } from "../runs.ts";
import { startScriptedProvider } from "../scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../scripted-provider.ts";
import { startService } from "../service.ts";
import { openWorkspaceIn } from "../shared-service.ts";
import type { SharedService } from "../shared-service.ts";
import { createTeam, readRun, runIn, startRun } from "../teams.ts";
import type { RunFields } from "../teams.ts";

/** What the provider says when it rejects a call of a crew. */
export const REFUSAL = "not today";

const CREW = ["Anna", "Bert", "Carl"];
const SPEAKER = /^You are (\w+)\./;

const message = z.looseObject({
  sender_agent_id: z.string().nullable(),
  receiver_agent_id: z.string().nullable(),
  message_type: z.string(),
  content: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  step_idx: z.int().nullable(),
  tokens_used: z.int(),
});

/** A message of a run, with the fields that tests read. */
export type MessageFields = z.output<typeof message>;

/**
 * Starts a provider that does what the run's title says of each agent: `Bert:rejects`, `Bert:fails-twice`, `Bert:hangs`,
 * `Bert:asks` (a person, with its tool), or for all that nobody is answered before everyone has called: `together`.
 * An agent without a script replies with its name, as in "Bert says so".
 */
export async function startCrewProvider(): Promise<ScriptedProvider> {
  const provider: ScriptedProvider = await startScriptedProvider((call, reply) => play(provider, call, reply));
  return provider;
}

/** A workspace in a service whose agents are told apart by {@link startCrewProvider}. */
export interface CrewWorkspace {
  readonly provider: ScriptedProvider;
  readonly service: SharedService;
}

let shared: ReturnType<typeof startCrewService> | undefined;

/** Opens a workspace in the service that this worker keeps for all files with crews; their runs' titles must differ. */
export async function useCrewService(): Promise<CrewWorkspace> {
  const { provider, service } = await (shared ??= startCrewService());
  return { provider, service: await openWorkspaceIn(service) };
}

async function startCrewService() {
  const provider = await startCrewProvider();
  return { provider, service: await startService({ env: { ...provider.env } }) };
}

async function play(provider: ScriptedProvider, call: ProviderCall, reply: ProviderReply): Promise<void> {
  const name = speakerOf(call);
  const does = (what: string) => call.task.includes(`${name}:${what}`);
  const failsYet = does("fails-twice") && callsBy(provider, call.task, name).length <= 2;
  if (does("hangs")) return;
  if (call.task.includes("together")) await Promise.all(CREW.map((each) => calledBy(provider, call.task, each)));
  if (does("rejects") || failsYet) return reply.refuse(400, REFUSAL);
  if (does("asks") && call.turn === 0) reply.callTool("request_input", { title: "Which colour?" });
  else reply.say(`${name} says so`);
  reply.finish();
}

/** Creates an agent on OpenAI whose calls the provider can tell by its name; returns its id. */
export function createCrewAgent(service: ApiService, name: string, fields: object = {}): Promise<string> {
  return openAiAgent(service, { name, system_prompt: `You are ${name}.`, ...fields });
}

/** Which agent of a crew makes a call. */
export function speakerOf({ body }: ProviderCall): string {
  return SPEAKER.exec(body.messages[0]?.content ?? "")?.[1] ?? "";
}

/** The calls that an agent of a crew has made for a run, in order. */
export function callsBy(provider: ScriptedProvider, title: string, name: string): readonly ProviderCall[] {
  return provider.callsOf(title).filter((call) => speakerOf(call) === name);
}

/** Waits until an agent of a crew has made its nth call for a run. */
export function calledBy(provider: ScriptedProvider, title: string, name: string, nth = 1): Promise<ProviderCall> {
  return eventually(`call ${nth} of ${name} for "${title}"`, () => callsBy(provider, title, name)[nth - 1]);
}

/** The first message of each call of an agent of a crew for a run. */
export function firstMessages(provider: ScriptedProvider, title: string, name: string): readonly string[] {
  return callsBy(provider, title, name).map(({ body }) => body.messages[1]?.content ?? "");
}

/** Starts a run of a new team whose task has this title for the provider. */
export async function startPipeline(
  service: ApiService,
  title: string,
  config: { readonly steps: readonly object[]; readonly auto_handoff?: boolean; readonly memory?: object },
): Promise<string> {
  const api = apiOf(service, service.keys.api);
  const team = await createTeam(api, { name: "Crew", mode: "pipeline", config });
  return (await startRun(api, team.id, inputOf(title))).id;
}

/** The input of a run by which the provider knows its calls. */
export function inputOf(title: string): string {
  return `Task Title: ${title}`;
}

/** Waits until a run is in a state. */
export function pipelineIn(service: ApiService, id: string, status: string): Promise<RunFields> {
  return runIn(apiOf(service, service.keys.api), id, status);
}

/** The messages of a run, in order. */
export async function messagesOf(service: ApiService, id: string): Promise<readonly MessageFields[]> {
  const run = await readRun(apiOf(service, service.keys.api), id);
  return z.array(message).parse(run["messages"]);
}

/** Answers the question for which a run waits. */
export async function answerRun(service: ApiService, id: string, answer: object): Promise<Answer> {
  const { interaction } = await readRun(apiOf(service, service.keys.api), id);
  const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(interaction);
  return consoleOf(service, service.keys.api).post(`/runs/${id}/answer`, { interactionId, ...answer });
}
