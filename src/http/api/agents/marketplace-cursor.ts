import { AppError } from "#domain/errors.ts";
import type { MarketplaceSort } from "#domain/agents/marketplace.ts";
import type { MarketplacePlace } from "#db/queries/agents/marketplace.ts";
import { isUuid } from "#lib/ids.ts";
import { parseCursor } from "../shape/cursor.ts";

/** The digits of a count below the integer limit. */
const COUNT = /^\d{1,9}$/;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** Encodes a cursor: the sort value of the last row, and its id. */
export function formatPlace({ value, id }: MarketplacePlace): string {
  return `${value}_${id}`;
}

/** Parses a cursor of a list in this order. @throws AppError `bad_request`. */
export function parsePlace(sort: MarketplaceSort, cursor: string): MarketplacePlace {
  if (sort === "newest") {
    const { createdAt, id = LOWEST_ID } = parseCursor(cursor);
    return { value: createdAt, id };
  }
  const [value = "", id = "", ...rest] = cursor.split("_");
  if (COUNT.test(value) && isUuid(id) && rest.length === 0) return { value, id };
  const message = "must be a next_cursor of an earlier response with the same sort";
  throw new AppError("bad_request", `cursor: ${message}`, { details: [{ path: "cursor", message }] });
}
