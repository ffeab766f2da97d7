import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { PageStart } from "#db/queries/records.ts";
import { isUuid } from "#lib/ids.ts";

const timestamp = z.iso.datetime({ offset: true, local: true }).or(z.iso.date());

/** A cursor as clients get it: the time of the last row shown, and its id where the next row has the same time. */
export function formatCursor(start: PageStart): string {
  return start.id === undefined ? start.createdAt : `${start.createdAt}_${start.id}`;
}

/**
 * Reads a cursor: one of ours, or any ISO 8601 time.
 * @throws AppError `bad_request`.
 */
export function parseCursor(cursor: string): PageStart {
  // A plus sign that a client did not encode arrives as a space.
  const [time = "", id] = cursor.replace(" ", "+").split("_", 2);
  const wellFormed = timestamp.safeParse(time).success && !Number.isNaN(Date.parse(time));
  if (!wellFormed || (id !== undefined && !isUuid(id))) {
    const message = "must be a next_cursor of an earlier answer or an ISO 8601 time";
    throw new AppError("bad_request", `cursor: ${message}`, { details: [{ path: "cursor", message }] });
  }
  return { createdAt: time, ...(id !== undefined && { id }) };
}
