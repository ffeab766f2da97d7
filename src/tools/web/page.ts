import { z } from "zod";

/** The worker's input. */
export const page = z.object({ html: z.string(), url: z.string() });

/** The worker's output. */
export const readableText = z.object({
  title: z.string(),
  /** The author and publication date as stated on the page; may be empty. */
  byline: z.string(),
  published: z.string(),
  text: z.string(),
});

/** A page's main text, without surroundings such as menus. */
export type ReadableText = Readonly<z.output<typeof readableText>>;
