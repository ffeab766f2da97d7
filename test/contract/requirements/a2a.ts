import type { Requirements } from "./requirement.ts";

/** The A2A server: cards, both families of methods, states and errors. */
export const a2a = {
  "a2a.schema.0-3": {
    states: "Every answer of 0.3 is valid by the types that the official SDK generates from the JSON schema.",
    source: "goal",
  },
  "a2a.card.well-known": {
    states: "GET /.well-known/agent.json answers an agent card.",
    source: "contract",
  },
  "a2a.card.fields": {
    states: "A card has name, description, version and skills with id, name and description.",
    source: "contract",
  },
  "a2a.card.agent-card-path": {
    states: "The card is also at /.well-known/agent-card.json.",
    source: "decision",
  },
  "a2a.card.per-agent": {
    states: "Each published agent's card is under /a2a/:agentId/.",
    source: "decision",
  },
  "a2a.card.by-query": {
    states: "?agent_id= chooses one agent; without it the instance's card lists the published agents.",
    source: "decision",
  },
  "a2a.card.no-key": {
    states: "The cards of published agents need no credential.",
    source: "decision",
  },
  "a2a.card.unpublished-hidden": {
    states: "An agent that is not published to A2A has no public card.",
    source: "decision",
  },
  "a2a.card.hybrid": {
    states: "With A2A-Version absent or 0.3 a card has the fields of 0.3 and supportedInterfaces.",
    source: "decision",
  },
  "a2a.card.strict-1-0": {
    states: "With A2A-Version 1.0 a card is a 1.0 card and nothing else.",
    source: "decision",
  },
  "a2a.card.caching-headers": {
    states: "Cards carry Cache-Control, ETag and Vary: A2A-Version.",
    source: "decision",
  },
  "a2a.rpc.json-rpc": {
    states: "POST /a2a/:agentId takes JSON-RPC 2.0 requests and answers with the same id.",
    source: "contract",
  },
  "a2a.rpc.message-send": {
    states: "message/send runs the agent on the message's parts.",
    source: "contract",
  },
  "a2a.rpc.tasks-get": {
    states: "tasks/get answers a task and its state.",
    source: "contract",
  },
  "a2a.rpc.tasks-cancel": {
    states: "tasks/cancel cancels a task.",
    source: "contract",
  },
  "a2a.rpc.message-stream": {
    states: "message/stream streams the run.",
    source: "decision",
  },
  "a2a.rpc.tasks-resubscribe": {
    states: "tasks/resubscribe takes up the stream of a task.",
    source: "decision",
  },
  "a2a.rpc.push-config": {
    states: "The methods of tasks/pushNotificationConfig set, read, list and delete push configurations.",
    source: "decision",
  },
  "a2a.rpc.extended-card": {
    states: "agent/getAuthenticatedExtendedCard answers the extended card.",
    source: "decision",
  },
  "a2a.rpc.list-tasks": {
    states: "ListTasks pages through an agent's tasks, the last changed first, by state, context and time.",
    source: "goal",
  },
  "a2a.rpc.instance": {
    states: "POST /a2a takes the same requests for the agent in metadata.agent_id, or the only published one.",
    source: "goal",
  },
  "a2a.rpc.answers": {
    states: "A message to a task that needs input answers its question, by its text or by data.",
    source: "decision",
  },
  "a2a.rpc.authentication": {
    states: "Without a valid key nothing of a request is read: 401; a key that may only read sends nothing: 403.",
    source: "decision",
  },
  "a2a.rpc.body-limit": {
    states: "A body may be as long as one file in base64 and a message; a longer one is 413.",
    source: "goal",
  },
  "a2a.context.continues": {
    states: "A message in the context of a finished task is its next attempt, with the conversation.",
    source: "goal",
  },
  "a2a.parts.files": {
    states: "Files come in as parts, and go out as parts with a signed URL.",
    source: "goal",
  },
  "a2a.stream.same-order": {
    states: "Every subscriber of a task gets the same changes in the same order, on any process.",
    source: "goal",
  },
  "a2a.push.delivered": {
    states:
      "Every state of a task is sent to its push configurations, as a task in 0.3 and a stream response in 1.0, with token, credentials and signature.",
    source: "goal",
  },
  "a2a.push.late-config": {
    states:
      "A configuration is notified right away of the state that its task has reached: none is missed while it is stored.",
    source: "goal",
  },
  "a2a.push.in-the-log": {
    states: "Push notifications are in the list of deliveries, are retried as webhooks are, and can be redelivered.",
    source: "goal",
  },
  "a2a.push.deleted-stops": {
    states: "A configuration that is deleted, or whose receiver answers 410, is notified of nothing more.",
    source: "goal",
  },
  "a2a.push.replaced": {
    states: "What is still to be sent to a configuration that is replaced goes to its new URL in its new version.",
    source: "goal",
  },
  "a2a.push.guarded": {
    states: "Push notifications go to no private network, unless the operator allows it.",
    source: "goal",
  },
  "a2a.push.durable": {
    states: "A process that dies between a state and its notifications loses none.",
    source: "goal",
  },
  "a2a.rpc.v1-methods": {
    states:
      "SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask and GetExtendedAgentCard answer in 1.0 shapes.",
    source: "decision",
  },
  "a2a.rpc.v1-push-config": {
    states: "The push configuration methods of 1.0 work too.",
    source: "decision",
  },
  "a2a.rpc.shape-by-method-name": {
    states: "The method's name alone decides in which shapes the answer comes.",
    source: "decision",
  },
  "a2a.rpc.lenient-parts": {
    states: "Parts with or without kind, and messages without messageId or role, are accepted.",
    source: "decision",
  },
  "a2a.rpc.blocking": {
    states: "message/send answers when the task is terminal or needs input.",
    source: "decision",
  },
  "a2a.rpc.non-blocking": {
    states: "With configuration.blocking false it answers at once.",
    source: "decision",
  },
  "a2a.result.artifacts": {
    states: "The result is a task with its status and the text in artifacts.",
    source: "decision",
  },
  "a2a.result.history": {
    states: "history is part of the result when it was asked for.",
    source: "decision",
  },
  "a2a.state.submitted": {
    states: "pending and dispatched are shown as submitted.",
    source: "decision",
  },
  "a2a.state.working": { states: "running is shown as working.", source: "decision" },
  "a2a.state.input-required": {
    states: "waiting_for_input is shown as input-required.",
    source: "decision",
  },
  "a2a.state.canceled": {
    states: "cancelled is shown as canceled.",
    source: "decision",
  },
  "a2a.error.parse": {
    states: "A body that is no JSON is error -32700.",
    source: "decision",
  },
  "a2a.error.invalid-request": {
    states: "JSON that is no JSON-RPC request is error -32600.",
    source: "decision",
  },
  "a2a.error.unknown-method": {
    states: "An unknown method is error -32601.",
    source: "decision",
  },
  "a2a.error.invalid-params": {
    states: "Wrong params are error -32602.",
    source: "decision",
  },
  "a2a.error.task-not-found": {
    states: "An unknown task is error -32001.",
    source: "decision",
  },
  "a2a.error.not-cancelable": {
    states: "Cancelling a terminal task is error -32002.",
    source: "decision",
  },
  "a2a.error.unsupported": {
    states: "An operation that is not supported is error -32004.",
    source: "decision",
  },
  "a2a.error.content-type": {
    states: "A content type that is not supported is error -32005.",
    source: "decision",
  },
  "a2a.error.version": {
    states: "A protocol version that is not supported is error -32009.",
    source: "decision",
  },
  "a2a.two-processes.answer": {
    states: "A stream that was begun on one process shows the answer that was given on another.",
    source: "goal",
  },
  "a2a.two-processes.cancel": {
    states: "A task is cancelled on any process, wherever it runs.",
    source: "goal",
  },
  "a2a.two-processes.kill": {
    states: "After a process was killed its clients continue with their streams on another, without gap or repeat.",
    source: "goal",
  },
  "a2a.tck.0-3": {
    states: "What the mandatory tests of the A2A 0.3 conformance kit check holds.",
    source: "decision",
  },
  "a2a.tck.1-0": {
    states: "What the MUST tests of the A2A 1.0 conformance kit check holds.",
    source: "decision",
  },
} as const satisfies Requirements<"a2a">;
