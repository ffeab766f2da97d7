import { z } from "zod";

/** What the thread is given. */
export const page = z.object({ html: z.string(), url: z.string() });

/** What the thread posts. */
export const readableText = z.object({
  title: z.string(),
  /** Who wrote it, and when it was published, as the page says it; may be empty. */
  byline: z.string(),
  published: z.string(),
  text: z.string(),
});

/** A page's text without what surrounds it, such as menus. */
export type ReadableText = Readonly<z.output<typeof readableText>>;
