import { z } from "zod";

/** The maximum number of tags in a response. */
export const MAX_LISTED_TAGS = 1_000;

/** The tags that records have, for filters by tag. */
export const tagList = z.array(z.string()).describe(`Each tag once, in order; up to ${MAX_LISTED_TAGS}.`);
