import type { KeyScope } from "#domain/access/api-key.ts";
import { cancelConversationTask } from "#operations/conversations/a2a/cancel-task.ts";
import { ownAgent, ownAgents } from "#operations/conversations/a2a/card-agents.ts";
import * as push from "#operations/conversations/a2a/push-configs.ts";
import { getConversationTask, listTasks } from "#operations/conversations/a2a/read-tasks.ts";
import type { Call } from "./call.ts";
import { hybridCard, sourceOfAgent, sourceOfInstance, strictCard } from "#protocols/a2a/cards.ts";
import { chooseAgent } from "./choose-agent.ts";
import type { Dialect } from "#protocols/a2a/dialect.ts";
import { DIALECT_0_3 } from "#protocols/a2a/dialect-0-3.ts";
import { DIALECT_1_0 } from "#protocols/a2a/dialect-1-0.ts";
import { RpcError, rpcErrorOf } from "#protocols/a2a/json-rpc.ts";
import { listParams, orUndefined, pushParams, readParams, setPushParams, taskParams } from "#protocols/a2a/params.ts";
import { KEYS_PATH, cardSigner } from "#protocols/a2a/sign-card.ts";
import { send, sendStreaming } from "./send.ts";
import { respondTaskStream } from "./stream.ts";
import { STATE_OF, TERMINAL, viewTask } from "#protocols/a2a/view.ts";

/** A method that a caller has named. */
export interface Method {
  /** The scope that it needs. */
  readonly scope: KeyScope;
  /** A response is sent as it is; anything else is the result. */
  readonly run: (call: Call) => Promise<unknown>;
  /** Whether it responds with a stream. */
  readonly streams?: true;
  /** The version in which it is named so, which is that of its response. */
  readonly dialect: Dialect;
}

const PUSH = "tasks/pushNotificationConfig";

/** The methods, with their name in each version. */
const TABLE: readonly (Omit<Method, "dialect"> & Readonly<Record<Dialect["version"], string>>)[] = [
  { "0.3": "message/send", "1.0": "SendMessage", scope: "write", run: send },
  { "0.3": "message/stream", "1.0": "SendStreamingMessage", scope: "write", run: sendStreaming, streams: true },
  { "0.3": "tasks/get", "1.0": "GetTask", scope: "read", run: getTask },
  { "0.3": "tasks/list", "1.0": "ListTasks", scope: "read", run: list },
  { "0.3": "tasks/cancel", "1.0": "CancelTask", scope: "write", run: cancel },
  { "0.3": "tasks/resubscribe", "1.0": "SubscribeToTask", scope: "read", run: subscribe, streams: true },
  { "0.3": `${PUSH}/set`, "1.0": "CreateTaskPushNotificationConfig", scope: "write", run: setPush },
  { "0.3": `${PUSH}/get`, "1.0": "GetTaskPushNotificationConfig", scope: "read", run: getPush },
  { "0.3": `${PUSH}/list`, "1.0": "ListTaskPushNotificationConfigs", scope: "read", run: listPush },
  { "0.3": `${PUSH}/delete`, "1.0": "DeleteTaskPushNotificationConfig", scope: "write", run: deletePush },
  { "0.3": "agent/getAuthenticatedExtendedCard", "1.0": "GetExtendedAgentCard", scope: "read", run: extendedCard },
];

/** The methods by each of their names. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  [DIALECT_0_3, DIALECT_1_0].flatMap((dialect) =>
    TABLE.map((method) => [method[dialect.version], { ...method, dialect }] as const),
  ),
);

async function getTask({ workspace, agentId, params, dialect, fileUrl }: Call): Promise<object> {
  const { id: taskId, historyLength } = readParams(taskParams, params);
  const task = await getConversationTask(workspace, { taskId, agentId });
  return dialect.task(viewTask(task, { historyLength: historyLength ?? 0, artifacts: "shown", fileUrl }));
}

async function list(call: Call): Promise<object> {
  const { workspace, params, dialect, fileUrl } = call;
  const { metadata, status, includeArtifacts, historyLength, ...page } = readParams(listParams, params);
  const { tasks, ...rest } = await listTasks(workspace, {
    agentId: await chooseAgent(call, metadata),
    statuses: status === "all" ? undefined : (status ?? undefined),
    contextId: orUndefined(page.contextId),
    since: page.statusTimestampAfter ?? fromMilliseconds(page.lastUpdatedAfter),
    pageSize: page.pageSize ?? undefined,
    pageToken: page.pageToken ?? undefined,
  });
  const artifacts = includeArtifacts === true ? "shown" : "hidden";
  const view = { historyLength: historyLength ?? 0, artifacts, fileUrl } as const;
  return { tasks: tasks.map((task) => dialect.task(viewTask(task, view))), ...rest };
}

function fromMilliseconds(time: number | null | undefined): string | undefined {
  return time == null ? undefined : new Date(time).toISOString();
}

async function cancel({ workspace, agentId, params, dialect, fileUrl }: Call): Promise<object> {
  const { id: taskId } = readParams(taskParams, params);
  const task = await cancelConversationTask(workspace, { taskId, agentId }).catch((error: unknown) => {
    const { kind, message } = rpcErrorOf(error);
    throw kind === "unsupportedOperation" ? new RpcError("taskNotCancelable", message) : error;
  });
  return dialect.task(viewTask(task, { artifacts: "shown", fileUrl }));
}

async function subscribe({
  workspace,
  c,
  caller,
  envelope,
  agentId,
  params,
  dialect,
  fileUrl,
}: Call): Promise<Response> {
  const { id: taskId, historyLength } = readParams(taskParams, params);
  const task = await getConversationTask(workspace, { taskId, agentId });
  const state = STATE_OF[task.status];
  if (dialect.version === "1.0" && TERMINAL.has(state)) {
    throw new RpcError("unsupportedOperation", `The task is ${state} and has no more events. Read it with GetTask.`);
  }
  return respondTaskStream(workspace, c, {
    caller,
    accepted: { taskId, agentId: task.agent_id },
    task,
    dialect,
    envelope,
    view: { historyLength: historyLength ?? 0, fileUrl },
    endsWith: "task",
  });
}

async function setPush({ workspace, agentId, params, dialect }: Call): Promise<object> {
  const { taskId, config: given } = readParams(setPushParams(params), params);
  const config = { ...given, version: dialect.version };
  return dialect.pushConfig(taskId, await push.setPushConfig(workspace, { taskId, agentId, config }));
}

async function getPush({ workspace, agentId, params, dialect }: Call): Promise<object> {
  const { taskId, name } = readParams(pushParams, params);
  return dialect.pushConfig(taskId, await push.getPushConfig(workspace, { taskId, agentId, name }));
}

async function listPush({ workspace, agentId, params, dialect }: Call): Promise<object> {
  const { taskId } = readParams(pushParams, params);
  return dialect.pushConfigs(taskId, await push.listPushConfigs(workspace, { taskId, agentId }));
}

async function deletePush({ workspace, agentId, params, dialect }: Call): Promise<object | null> {
  const { taskId, name } = readParams(pushParams, params);
  if (name === undefined) throw new RpcError("invalidParams", "Invalid params: the configuration's id is missing.");
  await push.deletePushConfig(workspace, { taskId, agentId, name });
  return dialect.deleted;
}

async function extendedCard({ workspace, agentId, dialect, baseUrl }: Call): Promise<object> {
  const source =
    agentId === undefined
      ? sourceOfInstance(await ownAgents(workspace), baseUrl)
      : sourceOfAgent(await ownAgent(workspace, agentId), baseUrl);
  const extended = { ...source, detail: "extended" } as const;
  const signing = { signer: cardSigner(workspace.secrets), keysUrl: baseUrl + KEYS_PATH };
  return (dialect.version === "0.3" ? hybridCard : strictCard)(extended, signing);
}
