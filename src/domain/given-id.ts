import { z } from "zod";

/** An id as a caller may write it, a UUID in upper or lower case; it is read in lower case, as all ids are kept. */
export const givenId = z.guid().toLowerCase();
