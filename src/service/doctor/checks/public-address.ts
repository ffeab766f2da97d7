import { PROBE_EVENTS, PROBE_INTERVAL_MS, PROBE_STREAM } from "#http/streams/probe-stream.ts";
import { createProxies } from "#lib/safe-fetch/proxies.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { publicUrl } from "../../listen.ts";
import { proxySettings } from "../../settings.ts";
import { ok, warning } from "../define-check.ts";
import type { Check, Finding } from "../define-check.ts";

const MS_PER_SECOND = 1_000;
const ANSWER_MS = 10_000;
/** The stream is shorter; what is longer comes from another service. */
const MAX_LENGTH = 4_096;
/** A busy machine can make events late once; a proxy does it each time. */
const TRIES = 3;
/** The time from the request to the first event after which it is late. */
const LATE_MS = 2_000;
/** The least time between the first and the last event; they are sent {@link PROBE_INTERVAL_MS} apart. */
const APART_MS = ((PROBE_EVENTS - 1) * PROBE_INTERVAL_MS) / 2;

/** Whether the service answers at its public address, and a proxy in front of it passes events on at once. */
export const publicAddress: Check = {
  name: "public address",
  of: "machine",
  async run(config) {
    const address = publicUrl(config);
    if (address === undefined) return ok("PUBLIC_URL is not set: there is no public address to try.");
    const fetch = createSafeFetch({ reach: "anywhere", proxies: createProxies(proxySettings(config)) });
    try {
      let finding = judgeArrivals(await readStream(fetch, address));
      for (let tried = 1; finding.outcome !== "ok" && tried < TRIES; tried += 1) {
        finding = judgeArrivals(await readStream(fetch, address));
      }
      return finding;
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
      return warning(
        `PUBLIC_URL does not lead to this service: ${reason}.`,
        "Start the service, and look at PUBLIC_URL, at DNS, and at the proxy in front of it.",
      );
    }
  },
};

/**
 * Judges a probe stream.
 * @param arrivals the milliseconds from the request to each event
 */
export function judgeArrivals(arrivals: readonly number[]): Finding {
  const [first = 0] = arrivals;
  const last = arrivals.at(-1) ?? 0;
  const remedy =
    "Turn off the buffering and compression of text/event-stream in the proxy (nginx: proxy_buffering off).";
  if (last - first < APART_MS)
    return warning("Events arrive together through PUBLIC_URL: a proxy buffers them.", remedy);
  if (first <= LATE_MS) return ok("Events arrive through PUBLIC_URL as they are sent.");
  return warning(
    `Events arrive late through PUBLIC_URL: the first after ${Math.round(first / MS_PER_SECOND)} s.`,
    remedy,
  );
}

/** Returns when the events of the probe stream arrive, in milliseconds. @throws Error if another service responds. */
async function readStream(fetch: SafeFetch, address: string): Promise<readonly number[]> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(`${address}${PROBE_STREAM}`, { signal, maxRedirects: 0 });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${PROBE_STREAM} responds with ${response.status}`);
  }
  const arrivals: number[] = [];
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const events = text.split('data: {"nth":').length - 1;
    while (arrivals.length < Math.min(events, PROBE_EVENTS)) arrivals.push(performance.now() - startedAt);
    if (arrivals.length === PROBE_EVENTS) return arrivals;
    if (text.length > MAX_LENGTH) break;
  }
  throw new Error(`${PROBE_STREAM} responds with something else`);
}
