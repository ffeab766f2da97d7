import type { Requirements } from "./requirement.ts";

/** The A2A server: cards, both families of methods, states and errors. */
export const a2a = {
  "a2a.schema.0-3": {
    states: "Every 0.3 response is valid by the types that the official SDK generates from the JSON schema.",
    source: "goal",
  },
  "a2a.card.well-known": {
    states: "GET /.well-known/agent.json returns an agent card.",
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
    states: "With A2A-Version 1.0 a card has the fields of 1.0 only.",
    source: "decision",
  },
  "a2a.card.signed": {
    states:
      "Every card is signed (JWS over its canonical JSON) by a key of the installation, at /.well-known/jwks.json.",
    source: "goal",
  },
  "a2a.card.caching-headers": {
    states: "Cards carry Cache-Control, ETag and Vary: A2A-Version.",
    source: "decision",
  },
  "a2a.rpc.json-rpc": {
    states: "POST /a2a/:agentId takes JSON-RPC 2.0 requests and responds with the same id.",
    source: "contract",
  },
  "a2a.rpc.message-send": {
    states: "message/send runs the agent on the message's parts.",
    source: "contract",
  },
  "a2a.rpc.tasks-get": {
    states: "tasks/get returns a task and its state.",
    source: "contract",
  },
  "a2a.rpc.tasks-cancel": {
    states: "tasks/cancel cancels a task.",
    source: "contract",
  },
  "a2a.rpc.without-id": {
    states: "A request without an id is executed; the response has the id null, and errors keep their codes.",
    source: "goal",
  },
  "a2a.rpc.proto-names": {
    states: "Fields of params may have the names of the protocol buffers (task_id) instead of those of JSON (taskId).",
    source: "goal",
  },
  "a2a.rpc.stream-errors": {
    states: "An error of a streaming method is an event for a client that accepts events, also for an unknown task.",
    source: "goal",
  },
  "a2a.rest.methods": {
    states: "The methods of 1.0 are also offered over HTTP+JSON, which the card declares.",
    source: "goal",
  },
  "a2a.rest.errors": {
    states: "Errors over HTTP+JSON have their HTTP status, and the reasons of A2A as details.",
    source: "goal",
  },
  "a2a.message.repeated": {
    states: "A message whose id its context has accepted before returns the task's state and has no effect.",
    source: "decision",
  },
  "a2a.message.repeated-answer": {
    states: "An answer that is sent again answers no other question, also concurrently and after the task's end.",
    source: "decision",
  },
  "a2a.message.push-with-message": {
    states: "A message is stored in one transaction with its effect and its push configuration: both, or neither.",
    source: "decision",
  },
  "a2a.rpc.message-stream": {
    states: "message/stream streams the run.",
    source: "decision",
  },
  "a2a.rpc.tasks-resubscribe": {
    states: "tasks/resubscribe resumes the stream of a task.",
    source: "decision",
  },
  "a2a.rpc.push-config": {
    states: "The methods of tasks/pushNotificationConfig set, read, list and delete push configurations.",
    source: "decision",
  },
  "a2a.rpc.extended-card": {
    states: "agent/getAuthenticatedExtendedCard returns the extended card.",
    source: "decision",
  },
  "a2a.rpc.list-tasks": {
    states: "ListTasks returns an agent's tasks in pages, last changed first, and filters by state, context and time.",
    source: "goal",
  },
  "a2a.rpc.instance": {
    states: "POST /a2a takes the same requests for the agent in metadata.agent_id, or the only published one.",
    source: "goal",
  },
  "a2a.rpc.answers": {
    states: "A message to a task that needs input answers its question, as text or as data.",
    source: "decision",
  },
  "a2a.rpc.authentication": {
    states: "Without a valid key the response is 401 before the request is read; sending with a read-only key is 403.",
    source: "decision",
  },
  "a2a.rpc.body-limit": {
    states: "A body may hold one file in base64 and a message; a longer one is 413.",
    source: "goal",
  },
  "a2a.context.continues": {
    states: "A message in the context of a finished task starts its next attempt, with the conversation.",
    source: "goal",
  },
  "a2a.parts.files": {
    states: "The service accepts files as parts and returns files as parts with a signed URL.",
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
      "A new configuration is notified immediately of its task's state; states reached while it is stored are not lost.",
    source: "goal",
  },
  "a2a.push.in-the-log": {
    states: "Push notifications are in the list of deliveries, are retried as webhooks are, and can be redelivered.",
    source: "goal",
  },
  "a2a.push.deleted-stops": {
    states: "A configuration that is deleted, or whose receiver responds 410, receives no further notifications.",
    source: "goal",
  },
  "a2a.push.replaced": {
    states: "After a configuration is replaced, pending notifications go to its new URL in its new version.",
    source: "goal",
  },
  "a2a.push.guarded": {
    states: "Push notifications to private networks are rejected unless the operator allows them.",
    source: "goal",
  },
  "a2a.push.proven": {
    states:
      "A host gets one push notification at a time until it has accepted one; those that wait for it then follow, or fail.",
    source: "decision",
  },
  "a2a.push.durable": {
    states: "No notification is lost when a process dies between a state change and its notifications.",
    source: "goal",
  },
  "a2a.rpc.v1-methods": {
    states:
      "SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask and GetExtendedAgentCard return 1.0 shapes.",
    source: "decision",
  },
  "a2a.rpc.v1-push-config": {
    states: "The push configuration methods of 1.0 work too.",
    source: "decision",
  },
  "a2a.rpc.shape-by-method-name": {
    states: "The method's name alone decides the shape of the response.",
    source: "decision",
  },
  "a2a.rpc.lenient-parts": {
    states: "Parts with or without kind, and messages without messageId or role, are accepted.",
    source: "decision",
  },
  "a2a.rpc.blocking": {
    states: "message/send responds when the task is terminal or needs input.",
    source: "decision",
  },
  "a2a.rpc.non-blocking": {
    states: "With configuration.blocking false it responds immediately.",
    source: "decision",
  },
  "a2a.result.artifacts": {
    states: "The result is a task with its status and the text in artifacts.",
    source: "decision",
  },
  "a2a.result.history": {
    states: "The result contains history when the request asks for it.",
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
    states: "A body that is not JSON is error -32700.",
    source: "decision",
  },
  "a2a.error.invalid-request": {
    states: "JSON that is not a JSON-RPC request is error -32600.",
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
  "a2a.links": {
    states: "Files by URL are fetched for the agent, never from private networks; one that cannot be read is rejected.",
    source: "goal",
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
    states: "A stream on one process shows the answer that another process received.",
    source: "goal",
  },
  "a2a.two-processes.cancel": {
    states: "Any process can cancel a task, wherever it runs.",
    source: "goal",
  },
  "a2a.two-processes.kill": {
    states: "After a process is killed, its clients resume their streams on another process without gap or repeat.",
    source: "goal",
  },
  "a2a.tck.0-3": {
    states: "The service passes the mandatory tests of the A2A 0.3 conformance kit.",
    source: "decision",
  },
  "a2a.tck.1-0": {
    states: "The service passes the MUST tests of the A2A 1.0 conformance kit.",
    source: "decision",
  },
} as const satisfies Requirements<"a2a">;
