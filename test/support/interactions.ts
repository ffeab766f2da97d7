import { send } from "./api.ts";
import type { Answer } from "./api.ts";
import { readStream } from "./sse-client.ts";
import type { ReceivedEvent, StreamReader, StreamService } from "./sse-client.ts";
import { expectWholeStream, ofType } from "./valid-stream.ts";

/** Every tool that asks a person. */
export const QUESTION_TOOLS = [
  "request_approval",
  "request_confirmation",
  "request_choice",
  "request_input",
  "request_form",
  "request_wizard",
] as const;

/** A field of a form of each type. */
export const FORM_FIELDS = [
  { key: "name", label: "Name", type: "text", required: true, placeholder: "Jane" },
  { key: "age", label: "Age", type: "number" },
  { key: "mail", label: "E-mail", type: "email" },
  { key: "notes", label: "Notes", type: "textarea", default: "none" },
  { key: "size", label: "Size", type: "select", options: ["S", "M"] },
  { key: "fit", label: "Fit", type: "select", options: ["loose", { value: "t", label: "Tight" }] },
  { key: "news", label: "News", type: "toggle" },
];

/** The options of a choice. */
export const CHOICES = [
  { id: "red", label: "Red" },
  { id: "blue", label: "Blue", description: "like the sea" },
];

/** What every question may begin with. */
export const HEADING = { title: "May I?", description: "It cannot be undone." };

/** Lets the demo model call a tool and answer with its result. */
export function callOf(tool: string, input: object): string {
  return `[[slow:0]][[tool:${tool} ${JSON.stringify(input)}]]`;
}

/** A task of an agent. */
export interface TaskOf {
  readonly agentId: string;
  readonly taskId: string;
}

/** Answers a task's question at the respond endpoint. */
export function respond(
  service: StreamService,
  { agentId, taskId }: TaskOf,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return send("POST", `${service.url}/ag-ui/${agentId}/respond`, {
    headers: { authorization: `Bearer ${service.keys.agui}` },
    body: { threadId: taskId, ...body },
  });
}

/** Opens a task's stream and waits for its first question; returns the reader and the question. */
export async function questionOf(
  service: StreamService,
  task: TaskOf,
  nth = 1,
): Promise<{
  readonly reader: StreamReader;
  readonly request: ReceivedEvent["event"];
  readonly interactionId: string;
}> {
  const reader = await readStream(service, task);
  await reader.until((events) => ofType(events, "INTERACTION_REQUEST").length >= nth);
  const request = ofType(reader.events, "INTERACTION_REQUEST")[nth - 1];
  if (request === undefined) throw new Error("There is no question.");
  return { reader, request, interactionId: String(request["interactionId"]) };
}

/** Expects a whole stream, leaving out the events of interactions, which AG-UI's own library does not know. */
export async function expectWholeStreamWithQuestions(events: readonly ReceivedEvent[]): Promise<void> {
  const first = events[0]?.id ?? 0;
  const numbered = events.map((event, index) => ({ ...event, gap: event.id - first - index }));
  if (numbered.some(({ gap }) => gap !== 0)) throw new Error("The stream has a gap or a repeat.");
  const known = events.filter(({ event }) => !event.type.startsWith("INTERACTION_"));
  await expectWholeStream(known.map((event, index) => ({ ...event, id: first + index })));
}
