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
  "console.runs.one-list": {
    states: "GET /console/api/runs lists tasks and lone team runs in one list; a task that a team does is one row.",
    source: "goal",
  },
  "console.runs.filters": {
    states:
      "It filters by status, agent, team, source, error code, tag, text, time and cost; several values of one are alternatives.",
    source: "goal",
  },
  "console.runs.orders": {
    states: "It is ordered by age, cost or duration, in keyset pages that lose and double no row at rest.",
    source: "goal",
  },
  "console.runs.source": {
    states:
      "A task or team run records through what it was created, and which key, person, schedule, trigger or run that was.",
    source: "goal",
  },
  "console.runs.bad-input": {
    states: "A query that cannot be answered is 400 and names the parameter; one that finds nothing is an empty page.",
    source: "goal",
  },
  "console.questions.open": {
    states: "GET /console/api/questions lists the open questions of tasks and team runs by deadline, for every role.",
    source: "goal",
  },
  "console.questions.history": {
    states: "Answered questions say when, by whom and through what; expired ones stay in a list of their own.",
    source: "goal",
  },
  "console.questions.one": {
    states:
      "GET /console/api/questions/{id} reads one question, open or closed, with its answer and how its run stands.",
    source: "goal",
  },
  "console.questions.right": {
    states:
      "An admin lets a viewer answer questions (can_answer): at once, in this workspace, and nothing else; members may anyway.",
    source: "goal",
  },
  "console.links.off": {
    states: "Answer links are off until an admin allows them; switched off again, those that exist end.",
    source: "goal",
  },
  "console.links.answer": {
    states:
      "A link shows one question without an account and takes its answer once, under a recorded name; reading it answers nothing.",
    source: "goal",
  },
  "console.links.end": {
    states:
      "A link ends with its question, at its time, with the work, and with the membership of the person who made it; its token is stored as a hash only.",
    source: "goal",
  },
  "console.search": {
    states:
      "GET /console/api/search finds up to 8 records of each kind by name, words of a title or beginning of an id.",
    source: "goal",
  },
  "console.questions.pages": {
    states: "Lists of questions have filters and keyset pages; a query that cannot be answered is 400.",
    source: "goal",
  },
  "console.live.changes": {
    states:
      "GET /console/api/live tells a page what changes in its workspace, whichever process changes it, and of no other.",
    source: "goal",
  },
  "console.live.follow": {
    states: "It sends the events of followed runs after a given number, without gap or repeat, attempt after attempt.",
    source: "goal",
  },
  "console.live.credential": {
    states: "It ends within a second after its credential is revoked.",
    source: "goal",
  },
  "console.live.flat": {
    states: "Changes are announced only while some process has a viewer of the workspace.",
    source: "goal",
  },
  "console.live.bad-input": {
    states: "A follow that is none is 400, and a run of another workspace is 404 like one that does not exist.",
    source: "goal",
  },
} as const satisfies Requirements<"console">;
