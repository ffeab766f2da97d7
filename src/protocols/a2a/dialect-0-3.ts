import type { Dialect } from "./dialect.ts";
import type { Artifact, Message, Part, Status, Task, TaskIds } from "./view.ts";
import type { PushConfig } from "#domain/destinations/push-config.ts";

/** A2A 0.3 (https://a2a-protocol.org/v0.3.0/specification/): objects have a `kind`. */
export const DIALECT_0_3: Dialect = {
  version: "0.3",
  task,
  sent: task,
  update({ taskId, contextId, ...update }) {
    if (update.kind === "status") {
      const { final } = update;
      return { kind: "status-update", taskId, contextId, status: status(update.status, { taskId, contextId }), final };
    }
    const { append, lastChunk } = update;
    return { kind: "artifact-update", taskId, contextId, artifact: artifact(update.artifact), append, lastChunk };
  },
  pushConfig,
  pushConfigs: (taskId, configs) => configs.map((config) => pushConfig(taskId, config)),
  deleted: null,
};

function task({ status: now, artifacts, history, ...ids }: Task) {
  return {
    kind: "task",
    id: ids.taskId,
    contextId: ids.contextId,
    status: status(now, ids),
    ...(artifacts !== undefined && { artifacts: artifacts.map(artifact) }),
    ...(history !== undefined && { history: history.map((one) => message(one, ids)) }),
  };
}

function status({ state, timestamp, message: said }: Status, ids: TaskIds) {
  return { state, timestamp, ...(said !== undefined && { message: message(said, ids) }) };
}

function message({ messageId, role, parts }: Message, { taskId, contextId }: TaskIds) {
  return { kind: "message", messageId, role, parts: parts.map(part), taskId, contextId };
}

function artifact({ artifactId, name, parts }: Artifact) {
  return { artifactId, name, parts: parts.map(part) };
}

function part(one: Part) {
  if ("text" in one) return { kind: "text", text: one.text };
  if ("data" in one) return { kind: "data", data: one.data };
  return { kind: "file", file: { uri: one.url, name: one.filename, mimeType: one.mediaType } };
}

function pushConfig(taskId: string, { name, url, auth_scheme: scheme }: PushConfig) {
  const authentication = scheme === null ? {} : { authentication: { schemes: [scheme] } };
  return { taskId, pushNotificationConfig: { id: name, url, ...authentication } };
}
