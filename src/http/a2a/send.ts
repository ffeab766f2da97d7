import { acceptDelegation } from "#domain/tools/delegation-depth.ts";
import { getConversationTask } from "#operations/conversations/a2a/read-tasks.ts";
import { sendMessage } from "#operations/conversations/a2a/send-message.ts";
import { waitForTask } from "#operations/conversations/a2a/wait-for-task.ts";
import { countStarts } from "../middleware/rate-limit.ts";
import { chooseAgent } from "./choose-agent.ts";
import { RpcError, rpcErrorOf } from "#protocols/a2a/json-rpc.ts";
import type { Call } from "./call.ts";
import { orUndefined, readParams, sendParams } from "#protocols/a2a/params.ts";
import { contentOf } from "#protocols/a2a/read-message.ts";
import { respondTaskStream } from "./stream.ts";
import { viewTask } from "#protocols/a2a/view.ts";

/** Sends a message and returns its task, once the task has ended or needs input; immediately if requested. */
export async function send(call: Call): Promise<object> {
  const { workspace, c, dialect, fileUrl } = call;
  const { accepted, configuration } = await accept(call);
  const returnsAtOnce = configuration?.blocking === false || configuration?.returnImmediately === true;
  const signal = AbortSignal.any([workspace.closing, c.req.raw.signal]);
  const task = returnsAtOnce
    ? await getConversationTask(workspace, accepted)
    : await waitForTask(workspace, { ...accepted, until: "question", signal });
  const historyLength = configuration?.historyLength ?? 0;
  return dialect.sent(viewTask(task, { historyLength, artifacts: "shown", fileUrl }));
}

/** Sends a message and streams its task until it has ended or needs input. */
export async function sendStreaming(call: Call): Promise<Response> {
  const { workspace, c, caller, dialect, envelope, fileUrl } = call;
  const { accepted, configuration } = await accept(call);
  const historyLength = configuration?.historyLength ?? 0;
  const view = { historyLength, fileUrl };
  return respondTaskStream(workspace, c, { caller, accepted, dialect, envelope, view, endsWith: "question" });
}

/** Passes a call's message to its agent. */
async function accept(call: Call) {
  const { workspace, dialect, params } = call;
  const { message, configuration, metadata } = readParams(sendParams, params);
  const push = configuration?.taskPushNotificationConfig ?? configuration?.pushNotificationConfig;
  // The notifications are a second piece of work.
  await countStarts(workspace, push == null ? 1 : 2);
  const { text, files, answer } = contentOf(message.parts);
  if (text === "" && files.length === 0) throw new RpcError("invalidParams", "The message is empty.");
  const taskId = orUndefined(message.taskId);
  const agentId =
    taskId === undefined || call.agentId !== undefined
      ? await chooseAgent(call, message.metadata, metadata)
      : (await getConversationTask(workspace, { taskId })).agent_id;
  const accepted = await sendMessage(workspace, {
    agentId,
    taskId,
    contextId: orUndefined(message.contextId),
    message: {
      ...(message.messageId != null && { id: message.messageId }),
      role: "user",
      content: text,
      ...acceptDelegation(message.metadata),
    },
    files,
    answer,
    // The conformance kit of 0.3 continues completed tasks by their id; 1.0 forbids it.
    reopens: dialect.version === "0.3" ? "ended tasks" : "none",
    push: push == null ? undefined : { ...push, version: dialect.version },
  }).catch((error: unknown) => {
    const { kind, message: reason } = rpcErrorOf(error);
    throw kind === "taskNotFound" && taskId === undefined ? new RpcError("invalidParams", reason) : error;
  });
  return { accepted, configuration };
}
