import { apiOf, consoleOf } from "./api.ts";
import type { Api } from "./api.ts";
import { startScriptedProvider } from "./scripted-provider.ts";
import type { ProviderReply, ScriptedProvider } from "./scripted-provider.ts";
import { startService } from "./service.ts";
import type { TestService } from "./service.ts";
import { createAgent, createTask, taskIn } from "./work.ts";
import type { TaskFields } from "./work.ts";
import { addWorkspace } from "./workspace.ts";

/** What a call of the fake provider costs: 11 prompt tokens at $1 and 7 completion tokens at $10 per million. */
const PRICE = { prompt: 1, completion: 10 };
/** In dollars. */
export const COST = 0.000081;
/** The tokens of a call. */
export const TOKENS = 18;
/** The agents' limit; a call may use it and its prompt. */
export const MAX_TOKENS = 100;

const RESPONSE = '"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"completed"}';
const ITEM = '"output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}';
const ANSWER_WITHOUT_USAGE = [
  `{"type":"response.created",${RESPONSE}}`,
  `{"type":"response.output_item.added",${ITEM}}`,
  '{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"done"}',
  `{"type":"response.output_item.done",${ITEM}}`,
  `{"type":"response.completed",${RESPONSE}}`,
]
  .map((event) => `data: ${event}\n\n`)
  .join("");

const chat = (chunk: object) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...chunk })}\n\n`;
/** Without its end. */
const COUNTED_ANSWER =
  chat({ choices: [{ index: 0, delta: { content: "do" }, finish_reason: null }] }) +
  chat({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });

/** A new workspace with an agent whose calls have a price. */
export interface BudgetedWorkspace {
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly api: Api;
  readonly console: Api;
  readonly agentId: string;
}

/** A service in which each model has a price, and tries each call twice. */
export interface BudgetScene {
  readonly service: TestService;
  /** The title of a task says what it does: `Refused …`, `Silent` (without usage), `Held …`; `Broken …` and `Counted …` (cut after its usage), once. */
  readonly provider: ScriptedProvider;
  /** Replies in progress that the test finishes, by task. */
  readonly held: ReadonlyMap<string, ProviderReply>;
  budgetedWorkspace(fields?: Readonly<Record<string, unknown>>): Promise<BudgetedWorkspace>;
}

let shared: Promise<BudgetScene> | undefined;

/** The service that this worker keeps for all files with budgets; the titles of their tasks must differ. */
export function useBudgetScene(): Promise<BudgetScene> {
  return (shared ??= start());
}

async function start(): Promise<BudgetScene> {
  const held = new Map<string, ProviderReply>();
  const provider = await startScriptedProvider((call, reply) => {
    if (call.task.startsWith("Refused")) return reply.refuse(400, "no such thing");
    if (call.task === "Silent") return reply.sendRaw("text/event-stream", ANSWER_WITHOUT_USAGE);
    if (call.task.startsWith("Counted") && call.nth === 1) return reply.sendRaw("text/event-stream", COUNTED_ANSWER);
    reply.say("done");
    if (call.task.startsWith("Held")) held.set(call.task, reply);
    else if (call.task.startsWith("Broken") && call.nth === 1) reply.abortConnection();
    else reply.finish();
  });
  const service = await startService({
    env: {
      ...provider.env,
      ALLOW_PRIVATE_URLS: "true",
      MODEL_ATTEMPTS: "2",
      MODEL_PRICES: JSON.stringify({ "gpt-4o": PRICE, "gpt-4o-mini": PRICE, demo: PRICE }),
    },
  });
  return {
    service,
    provider,
    held,
    async budgetedWorkspace(fields = {}) {
      const { workspaceId, ownerId, key } = await addWorkspace(service.databaseUrl);
      const api = apiOf(service, key);
      const { id: agentId } = await createAgent(api, { model: "gpt-4o", max_tokens: MAX_TOKENS, tools: [], ...fields });
      return { workspaceId, ownerId, api, console: consoleOf(service, key), agentId };
    },
  };
}

/** Runs a task of the workspace's agent until it is in a state. */
export async function runTask(
  { api, agentId }: BudgetedWorkspace,
  status: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<TaskFields> {
  const { id } = await createTask(api, { assigned_agent_id: agentId, ...fields });
  return taskIn(api, id, status);
}
