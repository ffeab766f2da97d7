import { readLogOutcome } from "#db/queries/streams/log-outcome.ts";
import { readEvents, readStreamHead } from "#db/queries/streams/task-events.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { Services } from "../context.ts";
import { deletion, purgedEvents } from "./missing-events.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import type { LogNotification } from "../ports.ts";

/** The page size of log reads: the first, and the maximum. */
const FIRST_PAGE = 100;
const MAX_PAGE_SIZE = 500;
/** The target size of a page, in characters; with long events, the next page has fewer of them. */
const PAGE_CHARS = 250_000;
/** The limits of events in memory for a slow reader, in number and characters; above them, it reads from the log. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARS = 250_000;

/** The log to follow, and the start. */
export interface FollowOptions {
  readonly tenant: Tenant;
  readonly logId: string;
  /** The current attempt. */
  readonly attempt: number;
  /** Only events with a greater number are returned. */
  readonly after: number;
  /** True if the log has no greater number yet, so that it need not be read before new events arrive. */
  readonly hasAll?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Yields the events of a task in order, without gap or repeat: first those in the log, then new ones from any process.
 * Ends after the first final event, or when the signal is aborted. If the log was deleted or its events were purged, a
 * final event is generated.
 * The memory for a slow reader is bounded. No event after the call is missed, however late the first batch is read.
 */
export function followEvents(services: FollowServices, options: FollowOptions): AsyncGenerator<readonly LoggedEvent[]> {
  return follow(services, options, openInbox(services, options));
}

type FollowServices = Pick<Services, "db" | "events" | "logReads">;

async function* follow(
  services: FollowServices,
  options: FollowOptions,
  inbox: Inbox,
): AsyncGenerator<readonly LoggedEvent[]> {
  let next = options.after + 1;
  let page = FIRST_PAGE;
  let batch: LogNotification;
  try {
    let behind = options.hasAll !== true;
    while (!options.signal.aborted) {
      // A suspended generator keeps what its variables hold: none of them holds events while it waits.
      batch = [];
      batch = behind
        ? await services.logReads.take(options.tenant.workspaceId, () =>
            readEvents(services.db.inWorkspace(options.tenant), { ...options, after: next - 1, limit: page }),
          )
        : await inbox.take(next);
      if (batch === "grown") {
        behind = true;
        continue;
      }
      if (batch.length === 0) {
        const end = behind ? await endOf(services.db, options, next) : undefined;
        if (end !== undefined) {
          yield end;
          return;
        }
        behind = false;
        continue;
      }
      behind &&= batch.length === page;
      page = pageAfter(batch);
      // Later events belong to another attempt.
      const end = batch.findIndex(({ final }) => final);
      yield end === -1 ? batch : batch.slice(0, end + 1);
      if (end !== -1) return;
      next = (batch.at(-1)?.seq ?? next) + 1;
    }
  } finally {
    inbox.close();
  }
}

/** Returns the size of the next page. */
function pageAfter(page: readonly LoggedEvent[]): number {
  const fitting = Math.floor((page.length * PAGE_CHARS) / charsOf(page));
  return Math.min(Math.max(fitting, 1), MAX_PAGE_SIZE);
}

function charsOf(events: readonly LoggedEvent[]): number {
  return events.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * Returns the remaining events when no more can come: the log has ended, its old events were purged, or it was deleted.
 * Undefined when more may come.
 */
async function endOf(db: Services["db"], options: FollowOptions, next: number): Promise<LoggedEvent[] | undefined> {
  const { tenant, logId } = options;
  const head = await readStreamHead(db.inWorkspace(tenant), logId);
  if (head === undefined) return [deletion(options, next)];
  if (!head.closed) return undefined;
  if (head.last_seq < next) return [];
  // It may have ended since it was read; a second empty read is conclusive.
  if ((await readEvents(db.inWorkspace(tenant), { logId, after: next - 1, limit: 1 })).length > 0) return undefined;
  const outcome = await readLogOutcome(db.inWorkspace(tenant), logId);
  return outcome && purgedEvents(outcome, logId, next);
}

interface Inbox {
  /** Waits for events from this number on; "grown" when they must be read from the log. */
  take(next: number): Promise<LogNotification>;
  close(): void;
}

function openInbox({ events }: Pick<Services, "events">, { logId, signal }: FollowOptions): Inbox {
  let waiting: LoggedEvent[] = [];
  let waitingChars = 0;
  let hasGrown = false;
  let waitsFor: number | undefined;
  let wake: () => void = () => {};

  function notify(arrival: LogNotification): void {
    if (arrival === "grown") hasGrown = true;
    else if (!hasGrown) {
      waiting.push(...arrival);
      waitingChars += charsOf(arrival);
      hasGrown = waiting.length > MAX_WAITING || waitingChars > MAX_WAITING_CHARS;
    }
    if (hasGrown) waiting = [];
    wake();
  }

  const unsubscribe = events.subscribe(logId, { notify, waitsFor: () => waitsFor });
  const onAbort = () => {
    unsubscribe();
    wake();
  };
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();

  return {
    async take(next) {
      if (waiting.length === 0 && !hasGrown) {
        waitsFor = next;
        await new Promise<void>((resolve) => (wake = resolve));
        waitsFor = undefined;
      }
      const fresh = waiting.filter((event) => event.seq >= next);
      waiting = [];
      waitingChars = 0;
      // A gap: another process wrote in between. The log has these events as well.
      const last = fresh[fresh.length - 1];
      if (hasGrown || (last !== undefined && last.seq - next + 1 !== fresh.length)) {
        hasGrown = false;
        return "grown";
      }
      return fresh;
    },
    close() {
      unsubscribe();
      signal.removeEventListener("abort", onAbort);
    },
  };
}
