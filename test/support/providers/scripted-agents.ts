import { z } from "zod";
import { apiOf, consoleOf } from "../api.ts";
import type { Api } from "../api.ts";
import { startScriptedProvider } from "../scripted-provider.ts";
import type { Script, ScriptedProvider, ProviderCall, ProviderReply } from "../scripted-provider.ts";
import { startService } from "../service.ts";
import type { TestAccess, TestService } from "../service.ts";
import { openWorkspaceIn } from "../shared-service.ts";
import type { SharedService } from "../shared-service.ts";
import { createAgent } from "../work.ts";

/** An agent whose model does what a script says. */
export interface ScriptedAgent {
  readonly id: string;
  /** The calls that its model got, in order. */
  calls(): readonly ProviderCall[];
}

/** A provider whose answers depend on which agent asks; it says `done` to an agent without a script. */
export interface ScriptedAgents {
  readonly provider: ScriptedProvider;
  /** Creates an agent with these fields instead of the defaults; its system prompt begins with a unique line. */
  player(api: Api, script: Script, fields?: Readonly<Record<string, unknown>>): Promise<ScriptedAgent>;
}

/** What a model does in one turn of a conversation; the answer ends after it. */
export type Move = (reply: ProviderReply, call: ProviderCall) => void | Promise<void>;

/** Starts the provider. */
export async function startScriptedAgents(): Promise<ScriptedAgents> {
  const scripts: Script[] = [];
  const provider = await startScriptedProvider((call, reply) => (scripts[playerOf(call)] ?? inTurns())(call, reply));
  return {
    provider,
    async player(api, script, fields = {}) {
      const number = scripts.push(script) - 1;
      const { system_prompt: prompt = "", ...rest } = fields;
      const body = { model: "gpt-4o", tools: [], system_prompt: `I am player ${number}.\n${String(prompt)}`, ...rest };
      const { id } = await createAgent(api, body);
      return { id, calls: () => provider.calls.filter((call) => playerOf(call) === number) };
    },
  };
}

/** A workspace whose agents do what scripts say. */
export interface ScriptedWorkspace<Service extends TestAccess = SharedService> {
  readonly service: Service;
  readonly api: Api;
  /** It knows the calls of other workspaces, too: ask it by texts that no other test has. */
  readonly provider: ScriptedProvider;
  /** Creates an agent of the workspace: see {@link ScriptedAgents}. */
  player(script: Script, fields?: Readonly<Record<string, unknown>>): Promise<ScriptedAgent>;
}

/** A service of its own, with the first workspace. */
export interface ScriptedService extends ScriptedWorkspace<TestService> {
  /** Stops the service and its provider. */
  stop(): Promise<void>;
}

/**
 * Starts a service with a scripted provider, as OpenAI and as a compatible endpoint.
 * @param env settings of the service, instead of the defaults
 */
export async function startScriptedService(env: Readonly<Record<string, string>> = {}): Promise<ScriptedService> {
  const { service, agents } = await start(env);
  return {
    ...workspaceOf(service, agents),
    async stop() {
      await service.stop();
      await agents.provider.close();
    },
  };
}

let shared: ReturnType<typeof start> | undefined;

/**
 * Opens a workspace in the scripted service that this worker keeps for all its files: see {@link useSharedService}.
 * The service may call private URLs.
 */
export async function useScriptedService(): Promise<ScriptedWorkspace> {
  const { service, agents } = await (shared ??= start({ ALLOW_PRIVATE_URLS: "true" }));
  return workspaceOf(await openWorkspaceIn(service), agents);
}

/** Opens a workspace in that service that is connected to another provider, as its OpenAI or the one with this id. */
export async function useProvider(
  { baseUrl }: Pick<ScriptedProvider, "baseUrl">,
  id: string = "openai",
): Promise<SharedService> {
  const { service } = await useScriptedService();
  const body = { api_key: "test-key", base_url: baseUrl };
  const saved = await consoleOf(service, service.keys.api).call("PUT", `/provider-keys/${id}`, { body });
  if (saved.status !== 200) throw new Error(`The workspace is not connected: ${saved.text}`);
  return service;
}

async function start(env: Readonly<Record<string, string>> = {}) {
  const agents = await startScriptedAgents();
  const { env: openAi, baseUrl } = agents.provider;
  const service = await startService({ env: { ...openAi, OPENAI_COMPATIBLE_BASE_URL: baseUrl, ...env } });
  return { service, agents };
}

function workspaceOf<Service extends TestAccess>(
  service: Service,
  { provider, player }: ScriptedAgents,
): ScriptedWorkspace<Service> {
  const api = apiOf(service, service.keys.api);
  return { service, api, provider, player: (script, fields) => player(api, script, fields) };
}

/** A script that makes these moves, one in each turn of a conversation; after the last one it says `done`. */
export function inTurns(...moves: readonly Move[]): Script {
  return async (call, reply) => {
    const move = moves[call.turn] ?? ((to: ProviderReply) => to.say("done"));
    await move(reply, call);
    reply.finish();
  };
}

/** A script that always says this. */
export function saying(text: string): Script {
  return inTurns(...Array.from({ length: 5 }, () => (reply: ProviderReply) => reply.say(text)));
}

const toolMessage = z.looseObject({ role: z.literal("tool"), content: z.string() });

/** What the tools gave back in the conversation of a call, in order. */
export function toolResults(call: ProviderCall | undefined): readonly string[] {
  return (call?.body.messages ?? []).flatMap((message) => {
    const parsed = toolMessage.safeParse(message);
    return parsed.success ? [parsed.data.content] : [];
  });
}

function playerOf({ body }: ProviderCall): number {
  return Number(/^I am player (\d+)\./.exec(body.messages[0]?.content ?? "")?.[1]);
}
