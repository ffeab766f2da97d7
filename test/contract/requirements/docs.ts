import type { Requirements } from "./requirement.ts";

/** What the documentation promises its readers. */
export const docs = {
  "docs.run": {
    states:
      "Every sh, ts and python block of README and docs runs in page order and prints the shown output; a block that cannot run here states the reason.",
    source: "goal",
  },
  "docs.claims.settings": {
    states: "Every setting and code on a page exists; blocks of settings contain settings only.",
    source: "goal",
  },
  "docs.claims.paths": {
    states: "Every path on a page is served, with the method on the page.",
    source: "goal",
  },
  "docs.claims.statuses": {
    states: "The service returns every status code on a page.",
    source: "goal",
  },
  "docs.claims.guarantees": {
    states: "A test proves a requirement for each guarantee on the durability page.",
    source: "goal",
  },
  "docs.claims.links": {
    states: "Every link between pages leads to an existing file and heading.",
    source: "goal",
  },
  "docs.troubleshooting": {
    states: "The troubleshooting page explains every warning and error of the log.",
    source: "goal",
  },
  "docs.site": {
    states: "npm run site builds the documentation as a site with a search, without a broken link.",
    source: "goal",
  },
} as const satisfies Requirements<"docs">;
