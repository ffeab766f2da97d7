import type { Requirements } from "./requirement.ts";

/** The pages for people, and how they are served. */
export const pages = {
  "pages.no-html-strings": {
    states: "No page of the console is made from HTML strings or evaluated code.",
    source: "goal",
  },
  "pages.token-not-stored": {
    states: "The access token of a page is kept in a variable, never in the browser's storage.",
    source: "goal",
  },
  "pages.policy": {
    states: "A page allows scripts, styles and requests of the service itself only, and no other site may frame it.",
    source: "goal",
  },
  "pages.api-untouched": {
    states: "Paths of the API answer a browser as they answer a program; programs get no pages anywhere.",
    source: "goal",
  },
  "pages.assets": {
    states: "Files with hashed names are compressed beforehand, kept by browsers for a year, and 404 when unknown.",
    source: "goal",
  },
  "pages.building": {
    states: "While the console is built a page says so and comes back by itself; a failed build says why.",
    source: "goal",
  },
  "pages.links": {
    states: "A one-time link opened in a browser leads to its page, with the token in the fragment.",
    source: "goal",
  },
} as const satisfies Requirements<"pages">;
