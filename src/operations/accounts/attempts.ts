import { hashKey } from "#domain/access/api-key.ts";
import { AppError } from "#domain/errors.ts";
import type { Database } from "#db/database.ts";
import type { Services } from "../context.ts";
import { readDeviceToken } from "./device-token.ts";
import type { Client } from "./client.ts";
import { countAttempt, forgiveAttempt } from "#db/queries/accounts/sign-in-attempts.ts";

const WINDOW_SECONDS = 900;

/** What is counted, and how often each of one kind may try within a window. */
const LIMITS = {
  /** Guesses at one person's password. */
  email: 10,
  /** Guesses from one place: of an office behind one address, only those that fail stay counted. */
  address: 50,
  /** Guesses from a browser in which the person has signed in before; no other counter holds for it. */
  device: 10,
  /** Guesses of the old password in one session. */
  session: 10,
  /** Guesses at answer links from one place. */
  link: 50,
  /** Accounts made from one place. */
  sign_up: 20,
} as const;

/** Whose attempts are counted, by kind: an e-mail address, the address of a client, a known browser, a session. */
export type Attempt = Readonly<Partial<Record<keyof typeof LIMITS, string>>>;

/**
 * Whose attempt at a password it is: of a browser that the person is known to use, else of the e-mail address and
 * the client's. So strangers who guess lock out each other, and not the person.
 */
export function attemptFrom({ secrets }: Pick<Services, "secrets">, email: string, client: Client): Attempt {
  const device = readDeviceToken(secrets, { token: client.deviceToken, email, now: Date.now() });
  return device === undefined ? { email, address: client.address } : { device };
}

/**
 * Counts an attempt before it is made, so that of many at once no more get through than allowed.
 * All processes count together, in the database: without it there is no attempt.
 * @returns how to take it back when it has succeeded.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function admitAttempt(db: Database, attempt: Attempt): Promise<() => Promise<void>> {
  const limits = new Map(
    (["email", "address", "device", "session", "link", "sign_up"] as const).flatMap((kind) => {
      const subject = attempt[kind];
      return subject === undefined ? [] : [[hashKey(`${kind}:${subject.toLowerCase()}`), LIMITS[kind]] as const];
    }),
  );
  const subjects = [...limits.keys()];
  const counts = await countAttempt(db, subjects, WINDOW_SECONDS);
  const exceeded = counts.filter(({ subject, count }) => count > (limits.get(subject) ?? 0));
  if (exceeded.length === 0) return () => forgiveAttempt(db, subjects);
  const seconds = Math.max(1, ...exceeded.map(({ secondsLeft }) => secondsLeft));
  throw new AppError("rate_limit_exceeded", `Too many attempts. Try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
