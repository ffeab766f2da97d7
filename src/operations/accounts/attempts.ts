import { hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import { formatWait } from "#lib/text/format-wait.ts";
import type { Database } from "#db/database.ts";
import type { Services } from "../context.ts";
import { readDeviceToken } from "./device-token.ts";
import type { Client } from "./client.ts";
import { clearAttempts, countAttempt, subtractAttempt } from "#db/queries/accounts/sign-in-attempts.ts";

const WINDOW_SECONDS = 900;

/** The counters, and the attempts that each allows within a window. */
const LIMITS = {
  /** Guesses at one person's password from one network address: a stranger's do not lock out the person's programs. */
  guesser: 10,
  /** Guesses at one person's password from all network addresses. */
  email: 100,
  /** Guesses from one network address; an office may share one, so only failed guesses stay counted. */
  address: 50,
  /** Guesses from a browser in which the person has signed in before; the other counters do not apply to it. */
  device: 10,
  /** Guesses of the old password in one session. */
  session: 10,
  /** Sign-ins at the provider from one network address that it or this service refused: they guess nothing. */
  provider_sign_in: 300,
  /** Guesses at answer links from one network address. */
  link: 50,
  /** Reports of leaked keys from one network address, each of up to 100 keys. */
  leak: 50,
  /** Reads of a run by one link, by all who have it: ten pages that are open for the whole window. */
  shared_run: 4_000,
  /** Programs that register as OAuth clients from one network address. */
  app_registration: 50,
  /** Requests for a person's consent from one network address. */
  app_request: 300,
  /** Failed requests for tokens from one network address. */
  app_token: 300,
  /** Mails with a link for a new password to one address. */
  reset_mail: 5,
  /** Such mails that one network address asks for. */
  reset_client: 20,
  /** Accounts created from one network address. */
  sign_up: 20,
  /** Agents' pages opened from one network address. */
  page_open: 600,
  /** Wrong codes of an agent's page from one network address. */
  page_code: 20,
  /** Other requests of an agent's pages from one network address, such as streams that are resumed. */
  page_read: 6_000,
} as const;

const KINDS = [
  "guesser",
  "email",
  "address",
  "device",
  "session",
  "provider_sign_in",
  "link",
  "leak",
  "shared_run",
  "app_registration",
  "app_request",
  "app_token",
  "reset_mail",
  "reset_client",
  "sign_up",
  "page_open",
  "page_code",
  "page_read",
] as const satisfies (keyof typeof LIMITS)[];

/** The subjects of an attempt, by kind: an e-mail address, a network address, both, a known browser, a session. */
export type Attempt = Readonly<Partial<Record<keyof typeof LIMITS, string>>>;

/**
 * Returns the subjects of a password attempt: the person's known browser, else the e-mail address, the client's network
 * address, and both together. So strangers who guess lock out each other, not the person.
 */
export function attemptFrom({ secrets }: Pick<Services, "secrets">, email: string, client: Client): Attempt {
  const device = readDeviceToken(secrets, { token: client.deviceToken, email, now: Date.now() });
  if (device !== undefined) return { device };
  return { guesser: guesserOf(email, client), email, address: client.address };
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit. All processes count in the
 * database; without it, no attempt is allowed.
 * @returns a function that takes the count back after success.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function admitAttempt(db: Database, attempt: Attempt): Promise<() => Promise<void>> {
  const limits = new Map(
    KINDS.flatMap((kind) => {
      const subject = attempt[kind];
      return subject === undefined ? [] : [[counterOf(kind, subject), LIMITS[kind]] as const];
    }),
  );
  const subjects = [...limits.keys()];
  const counts = await countAttempt(db, subjects, WINDOW_SECONDS);
  const exceeded = counts.filter(({ subject, count }) => count > (limits.get(subject) ?? 0));
  if (exceeded.length === 0) return () => subtractAttempt(db, subjects);
  const seconds = Math.max(1, ...exceeded.map(({ secondsLeft }) => secondsLeft));
  throw new AppError("rate_limit_exceeded", `Too many attempts. Try again in ${formatWait(seconds)}.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

/** Lets a person sign in immediately who was locked out by wrong passwords and has set a new one by a link. */
export async function unlock(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  email: string,
  client: Client,
): Promise<void> {
  const { device } = attemptFrom({ secrets }, email, client);
  const known = device === undefined ? [] : [counterOf("device", device)];
  await clearAttempts(db, [counterOf("guesser", guesserOf(email, client)), counterOf("email", email), ...known]);
}

function guesserOf(email: string, { address }: Client): string {
  return `${email} ${address}`;
}

function counterOf(kind: keyof typeof LIMITS, subject: string): string {
  return hashKey(`${kind}:${subject.toLowerCase()}`);
}
