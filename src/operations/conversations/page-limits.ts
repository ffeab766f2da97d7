import { hashKey } from "#domain/access/api-key.ts";
import { MAX_PAGE_FILES } from "#domain/agents/agent-page.ts";
import type { PageLimits } from "#domain/agents/agent-page.ts";
import { AppError } from "#domain/errors.ts";
import type { SentFile } from "#domain/files/sent-file.ts";
import type { Database } from "#db/database.ts";
import { countPageMessage } from "#db/queries/conversations/page-counts.ts";
import { formatSize } from "#lib/text/format-size.ts";
import { formatWait } from "#lib/text/format-wait.ts";
import type { Client } from "../accounts/client.ts";
import type { Visit } from "./page-visits.ts";

/** The windows, in seconds. */
const PERIODS = { minute: 60, day: 86_400 } as const;
/** What an answer may always have, as JSON. */
const MIN_ANSWER_CHARS = 20_000;

/** What each limit says when it is reached. */
const REACHED: Readonly<Record<keyof Omit<PageLimits, "message_chars" | "file_bytes">, string>> = {
  visitor_minute: "You are sending messages faster than this page can take them.",
  visitor_day: "You have sent as many messages as this page takes in a day.",
  address_minute: "Many messages come from your network just now.",
  address_day: "Your network has sent as many messages as this page takes in a day.",
  page_minute: "Many people are writing to this page just now.",
  page_day: "This page has taken as many messages as it may in a day.",
};

/** A message's text and files. */
interface SentMessage {
  readonly content: string;
  readonly files: readonly SentFile[];
}

/** Checks the size of a message. @throws AppError `payload_too_large`, `bad_request` */
export function checkMessage({ page }: Visit, { content, files }: SentMessage): void {
  const { message_chars: chars, file_bytes: bytes } = page.limits;
  if (content.length > chars) {
    throw new AppError(
      "payload_too_large",
      `A message has at most ${chars} characters here; this one has ${content.length}.`,
    );
  }
  if (files.length === 0) return;
  if (!page.takesFiles) throw new AppError("bad_request", "This page takes no files.");
  if (files.length > MAX_PAGE_FILES)
    throw new AppError("bad_request", `A message has at most ${MAX_PAGE_FILES} files.`);
  for (const file of files) {
    if ("url" in file) throw new AppError("bad_request", "Attach the file itself, not its address.");
    if (file.content.length > bytes) {
      throw new AppError("payload_too_large", `A file is at most ${formatSize(bytes)} here.`);
    }
  }
}

/** Checks the size of an answer; a form may have more in it than a message. @throws AppError `payload_too_large` */
export function checkAnswer({ page }: Visit, body: Readonly<Record<string, unknown>>): void {
  const most = Math.max(page.limits.message_chars, MIN_ANSWER_CHARS);
  if (JSON.stringify(body).length > most) throw new AppError("payload_too_large", "The answer is too long.");
}

/**
 * Counts a message of the visitor, of the network address and of the page, over all processes, before it has an effect.
 * One that a limit rejects counts for none.
 * @throws AppError `rate_limit_exceeded` with `Retry-After`.
 */
export async function countMessage(db: Database, visit: Visit, { address }: Client): Promise<void> {
  const { page, visitor } = visit;
  const limitsOf = (subject: "visitor" | "address" | "page", id: string) =>
    (["minute", "day"] as const).map((period) => ({
      subject: hashKey(`page:${page.id}:${period}:${subject}:${id}`),
      most: page.limits[`${subject}_${period}`],
      seconds: PERIODS[period],
      says: REACHED[`${subject}_${period}`],
    }));
  const limits = [...limitsOf("visitor", visitor), ...limitsOf("address", address), ...limitsOf("page", "")];
  const reached = await countPageMessage(db, limits);
  if (reached === undefined) return;
  const wait = Math.max(1, reached.secondsLeft);
  const says = limits.find(({ subject }) => subject === reached.subject)?.says ?? "";
  throw new AppError("rate_limit_exceeded", `${says} Try again in ${formatWait(wait)}.`, {
    headers: { "Retry-After": String(wait) },
  });
}
