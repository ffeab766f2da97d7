import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { CountedCall } from "../../chaos/provider.ts";
import { answerJson, startFakeServer } from "../fake-server.ts";
import { startScriptedProvider } from "../scripted-provider.ts";
import type { ProviderCall, ProviderReply } from "../scripted-provider.ts";

/** The name of the tool that counts its calls. */
export const TOOL = "count";
/** Each run calls the tool in its first turns, and answers in the last. */
const TOOL_TURNS = 2;
const WORDS = 10;
const BETWEEN_WORDS_MS = 30;

const toolBody = z.object({ call: z.string() });

/** A model's provider and a tool on loopback, which count what they are asked. */
export interface Vendors {
  readonly env: Readonly<Record<string, string>>;
  readonly toolUrl: string;
  readonly calls: readonly CountedCall[];
  /** How many calls of the tool were made more than once. */
  repeatedTools(): number;
  close(): Promise<void>;
}

/** Starts both. A run takes about a second and a half: three streamed replies, with a tool call after the first two. */
export async function startVendors(): Promise<Vendors> {
  const calls: CountedCall[] = [];
  const toolCalls: string[] = [];
  const tool = await startFakeServer((request, response) => {
    toolCalls.push(toolBody.parse(JSON.parse(request.body)).call);
    answerJson(response, { counted: true });
  });
  const provider = await startScriptedProvider(async (call, reply) => {
    const turn = `${call.task} / ${call.turn}`;
    const mark = `#${calls.length}#`;
    const by = call.headers.authorization ?? "";
    calls.push({ mark, turn, by, hash: hashOf(call), at: performance.timeOrigin + call.at });
    await speak(reply, mark);
    if (call.turn < TOOL_TURNS) reply.callTool(TOOL, { call: turn });
    reply.finish();
  });
  return {
    env: { OPENAI_BASE_URL: provider.baseUrl, ALLOW_PRIVATE_URLS: "true" },
    toolUrl: tool.url,
    calls,
    repeatedTools: () => toolCalls.length - new Set(toolCalls).size,
    async close() {
      await provider.close();
      await tool.close();
    },
  };
}

async function speak(reply: ProviderReply, mark: string): Promise<void> {
  reply.say(`${mark} `);
  for (let word = 0; word < WORDS; word++) {
    await sleep(BETWEEN_WORDS_MS);
    reply.say(`word${word} `);
  }
}

function hashOf({ body }: ProviderCall): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}
