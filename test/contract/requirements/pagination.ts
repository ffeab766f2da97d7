import type { Requirements } from "./requirement.ts";

/** Lists of the envelope API: order, pages and cursors. */
export const pagination = {
  "pagination.limit.default-50": {
    states: "A page has 50 items unless limit is set.",
    source: "contract",
  },
  "pagination.limit.range": {
    states: "limit is 1 to 200; any other value is 400.",
    source: "decision",
  },
  "pagination.previews": {
    states:
      "Lists of tasks and runs have only the beginning of a result above 64 KiB, and say so; the record read alone has all of it.",
    source: "decision",
  },
  "pagination.v2.shape": {
    states: "A list's data contains items, next_cursor and has_more.",
    source: "contract",
  },
  "pagination.v2.last-page": {
    states: "On the last page has_more is false and next_cursor is null.",
    source: "decision",
  },
  "pagination.v1.bare-array": { states: "In v1 a list is a bare array.", source: "decision" },
  "pagination.v1.link-header": {
    states: 'In v1 a Link header with rel="next" leads to the next page when there is one, and is absent otherwise.',
    source: "decision",
  },
  "pagination.order.newest-first": {
    states: "Lists are ordered by created_at, then id, both descending.",
    source: "decision",
  },
  "pagination.cursor.follows": {
    states: "The next request with a page's cursor continues after that page.",
    source: "contract",
  },
  "pagination.cursor.format": {
    states: "next_cursor is the created_at of the page's last row with microseconds in UTC.",
    source: "decision",
  },
  "pagination.cursor.tie-break": {
    states: "When the next row has the same time, _ and the id are appended to the cursor.",
    source: "decision",
  },
  "pagination.cursor.no-loss-no-repeat": {
    states: "Paging returns every row once, also when many rows share one time.",
    source: "decision",
  },
  "pagination.cursor.any-iso-timestamp": {
    states: "Any ISO 8601 timestamp is accepted as a cursor.",
    source: "decision",
  },
  "pagination.cursor.malformed-400": {
    states: "Any other cursor is 400.",
    source: "decision",
  },
  "pagination.cursor.stable-under-inserts": {
    states: "New rows during paging never repeat or hide older rows.",
    source: "decision",
  },
  "pagination.filter.kept": {
    states: "Paging a filtered list returns only rows that match the filter.",
    source: "decision",
  },
} as const satisfies Requirements<"pagination">;
