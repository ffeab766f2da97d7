import type { Requirements } from "./requirement.ts";

/** What the documentation promises its readers. */
export const docs = {
  "docs.run": {
    states:
      "Every sh, ts and python block of README and docs runs in page order and prints what the page shows; a block that cannot run here says why.",
    source: "goal",
  },
} as const satisfies Requirements<"docs">;
