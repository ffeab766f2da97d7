import type { Requirements } from "./requirement.ts";

/** What the console is made of: its endpoints below /console/api and /auth. */
export const console = {
  "console.options.public": {
    states: "GET /auth/options tells anybody the service's name, whether sign-up and set-up are open, and the version.",
    source: "goal",
  },
  "console.me.read": { states: "A person reads and changes their own name.", source: "goal" },
  "console.me.email": {
    states: "A new e-mail address needs the password, and none that another account has is taken.",
    source: "goal",
  },
  "console.me.people-only": {
    states: "Keys have no profile: /auth/me and /auth/locate are for people.",
    source: "goal",
  },
  "console.locate": {
    states: "GET /auth/locate finds the workspace of an id among a person's own; what is elsewhere looks unknown.",
    source: "goal",
  },
  "console.slug.derived": {
    states: "A workspace has a slug made from its name; no two have the same one, also of those made at the same time.",
    source: "goal",
  },
  "console.slug.old": {
    states: "A slug that a workspace had before it was renamed still leads to it, and no other workspace gets it.",
    source: "goal",
  },
  "console.person-limit": {
    states:
      "Requests of a person who is signed in count per person, RATE_LIMIT_PERSON (600) a minute, and not against the plan.",
    source: "goal",
  },
  "console.refresh.lost-answer": {
    states:
      "A refresh token whose answer was lost stays good until the token that was given for it has been used once.",
    source: "goal",
  },
  "console.models": {
    states:
      "GET /console/api/models lists the catalogue with prices, and whether the workspace can call a model or why not.",
    source: "goal",
  },
} as const satisfies Requirements<"console">;
