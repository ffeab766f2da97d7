import { z } from "zod";
import type { Script } from "./scripted-provider.ts";

const calls = z.array(z.object({ name: z.string(), args: z.unknown() }));
const toolMessage = z.looseObject({ role: z.literal("tool"), content: z.string() });

/** A function that clients of the tests have. */
export const WEATHER = {
  name: "get_weather",
  description: "The weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};

/** A call that {@link callingScript} makes. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: unknown;
}

/** The message that lets {@link callingScript} make these calls, each element of `turns` in one reply. */
export function callsText(...turns: readonly (readonly ScriptedCall[])[]): string {
  return turns.map((turn) => JSON.stringify(turn)).join("\n");
}

/** A model that makes the calls of the last user message, a line of it for each reply, and then repeats their results. */
export const callingScript: Script = ({ body }, reply) => {
  const start = body.messages.findLastIndex(({ role }) => role === "user");
  const exchange = body.messages.slice(start + 1);
  const lines = (body.messages[start]?.content ?? "").split("\n");
  const line = lines[exchange.filter(({ role }) => role === "assistant").length];
  if (line?.startsWith("[") === true) {
    reply.say("Let me see.");
    for (const { name, args } of calls.parse(JSON.parse(line))) reply.callTool(name, args);
  } else {
    const results = exchange.flatMap((message) => toolMessage.safeParse(message).data?.content ?? []);
    reply.say(`Results: ${results.join(" | ") || "none"}`);
  }
  reply.finish();
};
