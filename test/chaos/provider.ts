import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { speakerOf } from "../support/teams/crew.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import type { Dice } from "#lib/dice.ts";
import { isMisled, lineOf } from "./model.ts";
import { kindOf } from "./titles.ts";

/** From then on a call is answered well, however the ones before it went. */
const MOST_TROUBLES = 2;
const MAX_PAUSE_MS = 20;
const FLOOD_CHUNK = "word".repeat(16_384);
/** 16 MiB: many times what a run may have unwritten. */
const FLOOD_CHUNKS = 256;
const SOON = { "retry-after-ms": "50" };

/** A call that the provider received, with what is needed to count it. */
export interface CountedCall {
  /** Is in the answer and in no other. */
  readonly mark: string;
  /** Whose turn of what it is: the same for a call that is made again. */
  readonly turn: string;
  /** Which process made it: the key that it was started with. */
  readonly by: string;
  /** The request's body as a hash. */
  readonly hash: string;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/** A fake provider that fails at random and counts its calls. */
export interface FaultyProvider {
  readonly baseUrl: string;
  readonly calls: readonly CountedCall[];
  close(): Promise<void>;
}

/** What a bad answer looks like. */
const TROUBLES: Readonly<Record<string, (reply: ProviderReply) => void>> = {
  hangs: (reply) => reply.say("Let me think "),
  "never answers": () => undefined,
  aborts: (reply) => {
    reply.say("Half a ");
    setTimeout(() => reply.abortConnection(), MAX_PAUSE_MS);
  },
  "ends too early": (reply) => reply.sendRaw("text/event-stream", ""),
  "sends what is no JSON": (reply) => reply.sendRaw("text/event-stream", "data: {oops\n\n"),
  "sends what is no chunk": (reply) => reply.sendRaw("text/event-stream", 'data: {"choices":7}\n\n'),
  "sends a page": (reply) => reply.sendRaw("text/html", "<h1>Welcome to nginx!</h1>"),
  "is busy": (reply) => reply.refuse(429, "Slow down.", SOON),
  "has a fault": (reply) => reply.refuse(500, "Something went wrong.", SOON),
  "is overloaded": (reply) => reply.refuse(503, "Overloaded.", SOON),
};
const [SOME_TROUBLE = "", ...OTHER_TROUBLES] = Object.keys(TROUBLES);

/**
 * Starts a provider on loopback that answers every job.
 * @param troubles the share of calls that fail
 */
export async function startFaultyProvider(dice: Dice, troubles: number): Promise<FaultyProvider> {
  const calls: CountedCall[] = [];
  const timesAsked = new Map<string, number>();

  async function answer(call: ProviderCall, reply: ProviderReply): Promise<void> {
    const turn = `${call.task} / ${speakerOf(call)} ${call.turn}`;
    const nth = (timesAsked.get(turn) ?? 0) + 1;
    timesAsked.set(turn, nth);
    const mark = `#${calls.length}#`;
    const by = call.headers.authorization?.replace("Bearer ", "") ?? "";
    calls.push({ mark, turn, by, hash: hashOf(call), at: performance.timeOrigin + call.at });
    const mood = dice.of(turn).of(`time ${nth}`);
    if (nth <= MOST_TROUBLES && mood.chance(troubles)) {
      return TROUBLES[mood.pick([SOME_TROUBLE, ...OTHER_TROUBLES])]?.(reply);
    }
    if (kindOf(call.task) === "refused") return reply.refuse(400, "Not with me.");
    if (isMisled(call)) return reply.refuse(400, "That answers another question.");
    if (kindOf(call.task) === "flood") return flood(reply, mark);
    await say(reply, { mark, mood, line: lineOf(call, dice.of(turn), mark) });
  }
  const provider: ScriptedProvider = await startScriptedProvider(answer);
  return { baseUrl: provider.baseUrl, calls, close: provider.close };
}

async function say(
  reply: ProviderReply,
  { mark, mood, line }: { readonly mark: string; readonly mood: Dice; readonly line: ReturnType<typeof lineOf> },
): Promise<void> {
  reply.say(`${mark} `);
  for (let word = 0; word < line.words; word++) {
    await sleep(mood.whole(0, MAX_PAUSE_MS));
    reply.say(`word${word} `);
  }
  for (const [name, args] of line.calls) reply.callTool(name, args);
  reply.finish();
}

/** Says much, as fast as it is read. */
async function flood(reply: ProviderReply, mark: string): Promise<void> {
  reply.say(`${mark} `);
  for (let chunk = 0; chunk < FLOOD_CHUNKS; chunk++) {
    reply.say(FLOOD_CHUNK);
    await reply.hasRoom();
  }
  reply.finish();
}

function hashOf({ body }: ProviderCall): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}
