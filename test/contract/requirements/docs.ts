import type { Requirements } from "./requirement.ts";

/** What the documentation promises its readers. */
export const docs = {
  "docs.run": {
    states:
      "Every sh, ts and python block of README and docs runs in page order and prints what the page shows; a block that cannot run here says why.",
    source: "goal",
  },
  "docs.claims.settings": {
    states: "Every setting and code that a page names exists; blocks of settings name settings only.",
    source: "goal",
  },
  "docs.claims.paths": {
    states: "Every path that a page names is served, with the method that the page names.",
    source: "goal",
  },
  "docs.claims.statuses": {
    states: "Every status code that a page names is one that the service responds.",
    source: "goal",
  },
  "docs.claims.guarantees": {
    states: "Each guarantee of the page of durability is a requirement that a test proves.",
    source: "goal",
  },
  "docs.claims.links": {
    states: "Every link between pages leads to a file and a heading that exist.",
    source: "goal",
  },
  "docs.troubleshooting": {
    states: "The page of troubleshooting explains every warning and error of the log.",
    source: "goal",
  },
} as const satisfies Requirements<"docs">;
