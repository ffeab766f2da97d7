import { z } from "zod";
import { createTool } from "./custom-tools.ts";
import { startFakeServer } from "./fake-server.ts";
import type { FakeServer } from "./fake-server.ts";
import { calls, says } from "./providers/strict/strict-server.ts";
import type { ReplyTo, StrictPart, StrictRequest } from "./providers/strict/strict-server.ts";
import type { ApiService } from "./runs.ts";

/** What a model is told when it summarises. */
const SUMMARISES = "You summarise the earlier part";

/**
 * Starts a tool's server, which answers with a text of this length; its end says what was asked for.
 * @param isHeld whether it leaves a request without an answer, given its body
 */
export function startTexts(length: number, isHeld: (body: string) => boolean = () => false): Promise<FakeServer> {
  return startFakeServer(({ body }, response) => {
    if (isHeld(body)) return;
    const end = ` end of ${body}`;
    response.end("word ".repeat(Math.ceil(length / 5)).slice(0, Math.max(0, length - end.length)) + end);
  });
}

/** Creates the tool that returns such texts; returns its name in an agent's `tools`. */
export async function createTextTool(service: ApiService, { url }: FakeServer): Promise<string> {
  const parameters = { type: "object", properties: { part: { type: "integer" } } };
  const id = await createTool(service, { name: "read_part", description: "Reads a part.", url, parameters });
  return `custom:${id}`;
}

/** A model that reads so many parts, one in each turn, then says `Done.`; it summarises when it is asked to. */
export function readsParts(parts: number, ...before: readonly StrictPart[]): ReplyTo {
  let part = 0;
  return (request) => {
    if (isSummary(request)) return says(`Summary after part ${part}.`);
    part += 1;
    return part > parts ? says("Done.") : { parts: [...before, calls("read_part", { part }, `call_${part}`)] };
  };
}

/** Whether a model is asked for a summary. */
export function isSummary({ text }: StrictRequest): boolean {
  return text.includes(SUMMARISES);
}

const chat = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

/** The messages of a request by Chat Completions. */
export function messagesOf(request: StrictRequest | undefined): z.output<typeof chat>["messages"] {
  return chat.parse(request?.body).messages;
}
