import OpenAI from "openai";
import type { ChatCompletion, ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources";
import { WEATHER, callsText } from "./client-tools.ts";
import type { ScriptedCall } from "./client-tools.ts";
import type { ProviderCall, ScriptedProvider } from "./scripted-provider.ts";

/** The official client for the owner of an envelope key, which sends each request once. */
export function clientOf({ url }: { readonly url: string }, apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
}

/** The tool of the client, with these fields instead of the usual ones. */
export function tool(fields: object = {}): ChatCompletionTool {
  return { type: "function", function: { ...WEATHER, ...fields } };
}

/** The tools of the client. */
export const tools = [tool()];

/** Calls of that tool. */
export const bern = { name: "get_weather", args: { city: "Bern" } };
export const oslo = { name: "get_weather", args: { city: "Oslo" } };

let count = 0;

/** A message of the user that asks for these calls; no other test has it. */
export function ask(...turns: ScriptedCall[][]): ChatCompletionMessageParam[] {
  count += 1;
  return [{ role: "user", content: `${callsText(...turns)}\nQuestion ${count}` }];
}

/** The id of the task of a completion. */
export function taskOf({ id }: { readonly id: string }): string {
  return id.replace(/^chatcmpl-/, "").slice(0, 36);
}

/** The calls of the model for a conversation. */
export function askedOf(
  provider: ScriptedProvider,
  messages: readonly ChatCompletionMessageParam[],
): readonly ProviderCall[] {
  const said = messages.findLast(({ role }) => role === "user")?.content;
  return provider.callsOf(typeof said === "string" ? said : "");
}

/** The calls of functions in a completion. */
export function callsIn({ choices }: ChatCompletion) {
  return (choices[0]?.message.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
}

/** The messages after a completion whose calls have these results. */
export function answered(
  messages: readonly ChatCompletionMessageParam[],
  completion: ChatCompletion,
  results: readonly string[],
): ChatCompletionMessageParam[] {
  const said = completion.choices[0]?.message;
  if (said === undefined) throw new Error("The completion has a message.");
  const outputs = callsIn(completion).map(
    ({ id }, index) => ({ role: "tool", tool_call_id: id, content: results[index] ?? "" }) as const,
  );
  return [...messages, said, ...outputs];
}
