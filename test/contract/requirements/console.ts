import type { Requirements } from "./requirement.ts";

/** What the console is made of: its endpoints below /console/api and /auth. */
export const console = {
  "console.options.public": {
    states:
      "GET /auth/options needs no credential and returns the service's name, whether sign-up and set-up are open, and the version.",
    source: "goal",
  },
  "console.me.read": { states: "A person reads and changes their own name.", source: "goal" },
  "console.me.email": {
    states: "Changing the e-mail address needs the password; another account's address is rejected.",
    source: "goal",
  },
  "console.me.people-only": {
    states: "Keys have no profile: /auth/me and /auth/locate reject keys.",
    source: "goal",
  },
  "console.locate": {
    states:
      "GET /auth/locate finds the workspace of an id among a person's own; ids elsewhere get the response of unknown ones.",
    source: "goal",
  },
  "console.slug.derived": {
    states: "A workspace has a unique slug derived from its name, also with concurrent creation.",
    source: "goal",
  },
  "console.slug.old": {
    states: "After a rename the old slug still leads to its workspace; no other workspace gets it.",
    source: "goal",
  },
  "console.person-limit": {
    states:
      "Requests of a signed-in person count per person, RATE_LIMIT_PERSON (600) a minute, not against the plan; what they start does.",
    source: "goal",
  },
  "console.refresh.lost-answer": {
    states: "A refresh token whose response was lost stays valid until its replacement is used once.",
    source: "goal",
  },
  "console.models": {
    states:
      "GET /console/api/models lists the catalogue with prices and with what each model accepts, and whether the workspace can call a model, or the reason why not.",
    source: "goal",
  },
  "console.runs.many": {
    states:
      "The list of runs finds words and minimum costs, and orders by cost and duration, in workspaces with many runs.",
    source: "goal",
  },
  "console.runs.one-list": {
    states: "GET /console/api/runs lists tasks and team runs in one list; a task and its team run are one row.",
    source: "goal",
  },
  "console.runs.filters": {
    states:
      "The list filters by status, agent, team, source, error code, tag, text, time and cost; several values of one filter are alternatives.",
    source: "goal",
  },
  "console.runs.orders": {
    states: "The list is ordered by age, cost or duration, in keyset pages; paging returns every unchanged row once.",
    source: "goal",
  },
  "console.runs.source": {
    states: "A task or team run records its source, and the key, person, schedule, trigger or run that created it.",
    source: "goal",
  },
  "console.runs.bad-input": {
    states: "An invalid query is 400 and names the parameter; a query without results returns an empty page.",
    source: "goal",
  },
  "console.questions.open": {
    states: "GET /console/api/questions lists the open questions of tasks and team runs by deadline, for every role.",
    source: "goal",
  },
  "console.questions.history": {
    states: "Answered questions record when, by whom and on which surface; expired ones stay in a separate list.",
    source: "goal",
  },
  "console.questions.one": {
    states: "GET /console/api/questions/{id} reads one question, open or closed, with its answer and its run's status.",
    source: "goal",
  },
  "console.questions.right": {
    states:
      "An admin can allow a viewer to answer questions (can_answer). It applies immediately, in this workspace, to nothing else; members need no permission.",
    source: "goal",
  },
  "console.links.off": {
    states: "Answer links are disabled until an admin allows them; disabling them ends existing links.",
    source: "goal",
  },
  "console.links.answer": {
    states:
      "A link shows one question without an account and accepts one answer with a name; reading it answers nothing.",
    source: "goal",
  },
  "console.links.end": {
    states:
      "A link ends with its question, its expiry, the work, or its creator's membership; its token is stored as a hash only.",
    source: "goal",
  },
  "console.search": {
    states: "GET /console/api/search finds up to 8 records of each kind by name, words of a title or prefix of an id.",
    source: "goal",
  },
  "console.questions.pages": {
    states: "Lists of questions have filters and keyset pages; an invalid query is 400.",
    source: "goal",
  },
  "console.live.changes": {
    states: "GET /console/api/live notifies a page of changes in its workspace only, by any process.",
    source: "goal",
  },
  "console.live.complete": {
    states:
      "A live stream begins with the changes since its page refreshed the session or last heard a stream, and says whether that is all of them.",
    source: "goal",
  },
  "console.live.once": {
    states: "A screen of the console asks for each of its things once when it is loaded.",
    source: "goal",
  },
  "console.live.follow": {
    states:
      "The live stream sends the events of followed runs after a given number, without gap or repeat, attempt after attempt.",
    source: "goal",
  },
  "console.live.credential": {
    states: "The live stream ends within a second after its credential is revoked.",
    source: "goal",
  },
  "console.live.flat": {
    states: "Changes are announced only while a process has a viewer of the workspace.",
    source: "goal",
  },
  "console.live.bad-input": {
    states: "An invalid follow is 400; a run of another workspace is 404 like an unknown one.",
    source: "goal",
  },
  "console.sign-in.provider": {
    states: "The sign-in page leads to the instance's provider and back; a refusal is a page that says why.",
    source: "goal",
  },
  "console.forgotten-password": {
    states:
      "Where mails are sent, the sign-in page mails a link for a new password, and does not tell who has an account.",
    source: "goal",
  },
  "console.passkeys.autofill": {
    states: "The sign-in page lets the browser offer passkeys among the suggestions for the e-mail address.",
    source: "goal",
  },
  "console.passkeys": {
    states: "Passkeys are added, renamed, used and removed in the browser, and what fails there is a sentence.",
    source: "goal",
  },
  "console.passkeys.required": {
    states: "Before a workspace that requires passkeys, a page asks for the first or a known one, then leads on.",
    source: "goal",
  },
} as const satisfies Requirements<"console">;
