import type { Dialect } from "./dialect.ts";
import type { Artifact, Message, Part, State, Status, Task, TaskIds } from "./view.ts";
import type { PushConfig } from "#domain/destinations/push-config.ts";

const STATE: Readonly<Record<State, string>> = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
};

/** A2A 1.0 (https://a2a-protocol.org/v1.0.0/specification/): the JSON of its protocol buffers. */
export const DIALECT_1_0: Dialect = {
  version: "1.0",
  task,
  sent: (sent) => ({ task: task(sent) }),
  update({ taskId, contextId, ...update }) {
    if (update.kind === "status") {
      return { statusUpdate: { taskId, contextId, status: status(update.status, { taskId, contextId }) } };
    }
    const { append, lastChunk } = update;
    return { artifactUpdate: { taskId, contextId, artifact: artifact(update.artifact), append, lastChunk } };
  },
  pushConfig,
  pushConfigs: (taskId, configs) => ({
    configs: configs.map((config) => pushConfig(taskId, config)),
    nextPageToken: "",
  }),
  deleted: {},
};

function task({ status: now, artifacts, history, ...ids }: Task) {
  return {
    id: ids.taskId,
    contextId: ids.contextId,
    status: status(now, ids),
    ...(artifacts !== undefined && { artifacts: artifacts.map(artifact) }),
    ...(history !== undefined && { history: history.map((one) => message(one, ids)) }),
  };
}

function status({ state, timestamp, message: said }: Status, ids: TaskIds) {
  return { state: STATE[state], timestamp, ...(said !== undefined && { message: message(said, ids) }) };
}

function message({ messageId, role, parts }: Message, { taskId, contextId }: TaskIds) {
  return { messageId, role: role === "user" ? "ROLE_USER" : "ROLE_AGENT", parts: parts.map(part), taskId, contextId };
}

function artifact({ artifactId, name, parts }: Artifact) {
  return { artifactId, name, parts: parts.map(part) };
}

function part(one: Part) {
  if ("text" in one) return { text: one.text, mediaType: "text/plain" };
  if ("data" in one) return { data: one.data, mediaType: "application/json" };
  return { url: one.url, filename: one.filename, mediaType: one.mediaType };
}

function pushConfig(taskId: string, { name, url, auth_scheme: scheme }: PushConfig) {
  return { taskId, id: name, url, ...(scheme !== null && { authentication: { scheme } }) };
}
