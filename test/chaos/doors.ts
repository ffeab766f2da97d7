import { z } from "zod";
import { apiOf, consoleOf, send } from "../support/api.ts";
import type { Answer } from "../support/api.ts";
import { post, userMessage1 } from "../support/a2a/a2a.ts";
import type { TestService } from "../support/service.ts";
import type { Order } from "./orders.ts";

/** Every way in for work of a single agent. */
export const DOORS = ["envelope", "a2a", "ag-ui", "trigger"] as const;

/** One of {@link DOORS}. */
export type Door = (typeof DOORS)[number];

type Given = (answer: Answer, order: Order) => string;

const created = z.looseObject({ id: z.uuid() });
const sent = z.looseObject({ result: z.looseObject({ task: created }) });
const hook = z.looseObject({ url: z.string() });
const accepted = z.looseObject({ task_id: z.uuid() });

/** Reads the id of the work from an answer that accepted it. */
const ID_IN: Readonly<Record<Door, Given>> = {
  envelope: ({ body }) => created.parse(body).id,
  a2a: ({ body }) => sent.parse(body).result.task.id,
  "ag-ui": (_, { threadId }) => threadId,
  trigger: ({ body }) => accepted.parse(body).task_id,
};

/** Makes a trigger for the task of an order. Its path is in the answer: {@link hookIn}. */
export function createHook(service: TestService, { title, agentId }: Order): Promise<Answer> {
  const fields = { name: "Work", assigned_agent_id: agentId, title, description: "" };
  return consoleOf(service, service.keys.api).post("/triggers", fields);
}

/** The path of a trigger. @throws ZodError when the answer has none */
export function hookIn({ body }: Answer): string {
  return new URL(hook.parse(body).url).pathname;
}

/**
 * Gives an order through its door; the same order given again must have no effect.
 * @param hookPath the trigger of an order that is given by one
 */
export function knock(service: TestService, order: Order, hookPath = ""): Promise<Answer> {
  const { title, path, body, agentId = "", threadId } = order;
  const key = { "idempotency-key": title };
  switch (order.door) {
    case "envelope":
      return apiOf(service, service.keys.api).post(path, body, key);
    case "a2a":
      return tell(service, agentId, { text: title, messageId: title, contextId: title });
    case "ag-ui":
      return start(service, agentId, {
        threadId,
        runId: threadId,
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
        messages: [{ id: "first", role: "user", content: title }],
      });
    case "trigger":
      return send("POST", service.url + hookPath, { headers: key, body: { title } });
  }
}

/** The id of the task or run that an order became. @throws ZodError when the answer did not accept it. */
export function idIn(answer: Answer, order: Order): string {
  return ID_IN[order.door](answer, order);
}

/** Sends a message to an agent by A2A, and does not wait for what comes of it. */
export function tell(
  service: TestService,
  agentId: string,
  { text, ...fields }: { readonly text: string; readonly messageId: string; readonly [field: string]: string },
): Promise<Answer> {
  const params = { ...userMessage1(text, fields), configuration: { returnImmediately: true } };
  return post(service, agentId, { jsonrpc: "2.0", id: 1, method: "SendMessage", params });
}

/** Starts a run by AG-UI, and leaves when its stream begins. */
async function start(service: TestService, agentId: string, input: object): Promise<Answer> {
  const response = await fetch(`${service.url}/ag-ui/${agentId}/sse`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${service.keys.agui}` },
    body: JSON.stringify(input),
  });
  const isStream = response.status === 200;
  const text = isStream ? "" : await response.text();
  if (isStream) await response.body?.cancel();
  return { status: response.status, headers: response.headers, text, body: undefined };
}
