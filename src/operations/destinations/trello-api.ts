import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";

/** Trello's API. */
export interface TrelloApi {
  readonly base: string;
  readonly fetch: SafeFetch;
}
