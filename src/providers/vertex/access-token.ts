import { z } from "zod";
import { ModelError } from "#domain/models/model-call.ts";
import { parseProviderMessage } from "../ai-sdk/provider-message.ts";
import { assertionOf } from "./service-account.ts";
import type { ServiceAccount } from "./service-account.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TIMEOUT_MS = 30_000;
/** A token is replaced so long before its end. */
const MARGIN_S = 300;

const answer = z.object({ access_token: z.string().min(1), expires_in: z.number().default(3_600) });

interface Token {
  readonly text: string;
  /** In milliseconds. */
  readonly renewAt: number;
}

/**
 * Returns a function that gives an access token of a service account, the same one until shortly before its end.
 * @throws ModelError of kind `auth` when Google gives none, `unavailable` when it cannot be asked
 */
export function accessTokens(account: ServiceAccount, fetch: typeof globalThis.fetch): () => Promise<string> {
  let current: Promise<Token> | undefined;
  return async () => {
    const kept = await current;
    if (kept !== undefined && Date.now() < kept.renewAt) return kept.text;
    const asked = askForToken(account, fetch);
    current = asked;
    asked.catch(() => (current = undefined));
    return (await asked).text;
  };
}

async function askForToken(account: ServiceAccount, fetch: typeof globalThis.fetch): Promise<Token> {
  const now = Date.now();
  const body = new URLSearchParams({ grant_type: GRANT, assertion: signedBy(account, now) }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(account.token_uri, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw unavailable(`cannot be reached: ${reasonOf(error)}`);
  });
  const text = await response.text();
  if (response.status >= 500) throw unavailable(`answered with status ${response.status}.`);
  const { data } = answer.safeParse(jsonOf(text));
  if (!response.ok || data === undefined) {
    throw new ModelError("auth", `Google gave the service account no access token: ${wordsOf(text)}`);
  }
  return { text: data.access_token, renewAt: now + (data.expires_in - MARGIN_S) * 1_000 };
}

function signedBy(account: ServiceAccount, now: number): string {
  try {
    return assertionOf(account, now);
  } catch {
    throw new ModelError("auth", "The private key of the service account cannot be read.");
  }
}

function unavailable(what: string): ModelError {
  return new ModelError("unavailable", `Google's token endpoint ${what}`, { wasSent: false });
}

/** A failed fetch has its reason as its cause. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  return reason instanceof Error ? reason.message : String(reason);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wordsOf(text: string): string {
  const parsed = z.object({ error_description: z.string() }).safeParse(jsonOf(text));
  return parsed.data?.error_description ?? parseProviderMessage(text) ?? "its answer cannot be read";
}
