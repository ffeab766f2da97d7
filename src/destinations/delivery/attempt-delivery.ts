import type { z } from "zod";
import type { PostedMessage } from "#domain/people/question-message.ts";
import { storableText } from "#domain/storable.ts";
import { secretFields } from "#domain/destinations/destination-form.ts";
import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { firstBytes } from "#lib/text/first-bytes.ts";
import type { Destination } from "../define-destination.ts";
import { createContext } from "./context.ts";
import type { DeliveryAttempt, DeliverySettings } from "./delivery-attempt.ts";
import { DeliveryError } from "./delivery-error.ts";
import { createExchangeLog } from "./exchange-log.ts";

const MASK = "••••";
/** Shorter secrets are not masked: that would mask ordinary text, and they never are a complete URL or body. */
const MIN_LENGTH = 4;

/** The bytes logged of the requests, and of the responses. */
const MAX_LOGGED = 8_192;
const MAX_ERROR = 390;

/** The result of an attempt, without any secret of the route. */
export interface AttemptOutcome {
  readonly status: "success" | "failed";
  /** The status of the last response; null without one. */
  readonly httpCode: number | null;
  /** Null on success. */
  readonly error: string | null;
  /** The requests sent, up to 8 KiB. */
  readonly request: string;
  /** The responses received, up to 8 KiB. */
  readonly response: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Whether a retry is pointless. */
  readonly isFinal: boolean;
  /** Whether the receiver did not reply in time. */
  readonly hasTimedOut: boolean;
  /** If the receiver's rate limit rejected it: the wait that it asks for, in milliseconds. */
  readonly waitMs: number | null;
  /** The message that asks people; absent for other deliveries. */
  readonly posted?: PostedMessage;
}

/** Makes one attempt. Never throws for faults of the receiver or configuration. @throws the signal's reason */
export async function attemptDelivery<Content>(
  settings: DeliverySettings,
  destination: Destination<z.ZodObject, Content>,
  attempt: DeliveryAttempt<Content>,
): Promise<AttemptOutcome> {
  const startedAt = new Date();
  const begun = performance.now();
  const limit = startTimeLimit(settings.timeoutMs, attempt.signal);
  const log = createExchangeLog();
  const secrets = new Set(secretsOf(destination, attempt.config));
  const context = createContext({ settings, destination, attempt, log, secrets, startedAt, signal: limit.signal });
  const failure = await failureOf(async () => {
    await destination.deliver(context, destination.config.parse(attempt.config), attempt.payload);
  });
  const hasTimedOut = failure !== null && limit.isOver();
  limit.clear();
  attempt.signal.throwIfAborted();
  const error = hasTimedOut ? `No reply within ${settings.timeoutMs / 1_000} s.` : failure?.message;
  const clean = (text: string) => storableText(redact(text, secrets));
  return {
    status: failure === null ? "success" : "failed",
    httpCode: log.httpCode,
    error: error === undefined ? null : clean(error).slice(0, MAX_ERROR).toWellFormed(),
    request: firstBytes(clean(log.requests.join("\n\n")), MAX_LOGGED),
    response: firstBytes(clean(log.responses.join("\n\n")), MAX_LOGGED),
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    hasTimedOut,
    isFinal: failure instanceof DeliveryError && failure.isFinal,
    waitMs: failure instanceof DeliveryError ? failure.waitMs : null,
  };
}

async function failureOf(work: () => Promise<void>): Promise<Error | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The secrets of a configuration. For a URL that is a secret, its path alone is a secret too. */
function secretsOf(destination: DestinationForm, config: unknown): readonly string[] {
  const given = new Map(typeof config === "object" && config !== null ? Object.entries(config) : []);
  return secretFields(destination).flatMap((name) => {
    const value = given.get(name);
    if (typeof value !== "string") return [];
    const url = URL.parse(value);
    return url === null ? [value] : [value, url.href, url.pathname + url.search, url.pathname];
  });
}

/** Masks all secrets in a text: literally, URL-encoded, and inside JSON strings. */
function redact(text: string, secrets: Iterable<string>): string {
  return [...secrets]
    .flatMap((secret) => (secret.length < MIN_LENGTH ? [] : formsOf(secret)))
    .toSorted((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, MASK), text);
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)];
}
