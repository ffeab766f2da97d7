import { z } from "zod";

/** A caller's id: a UUID in upper or lower case, converted to lower case, as all ids are stored. */
export const givenId = z.guid().toLowerCase();
