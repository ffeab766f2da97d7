import type { Requirements } from "./requirement.ts";

/** The pages for people, and how they are served. */
export const pages = {
  "pages.no-html-strings": {
    states: "No page of the console is created from HTML strings or evaluated code.",
    source: "goal",
  },
  "pages.token-not-stored": {
    states: "The access token of a page is kept in a variable, never in the browser's storage.",
    source: "goal",
  },
  "pages.policy": {
    states:
      "A page allows only scripts, styles and requests of the service itself, and no other site may frame it. What breaks Trusted Types is reported to the browser's console only.",
    source: "goal",
  },
  "pages.api-untouched": {
    states: "Paths of the API give browsers the same response as programs; programs never get pages.",
    source: "goal",
  },
  "pages.assets": {
    states: "Files with hashed names are precompressed, cached by browsers for a year, and 404 when unknown.",
    source: "goal",
  },
  "pages.building": {
    states:
      "During the console's first build a page reports it and reloads automatically; during a later one, and after a failed one, the previous build is served; a failed build shows the reason.",
    source: "goal",
  },
  "pages.links": {
    states: "A one-time link opened in a browser leads to its page, with the token in the fragment.",
    source: "goal",
  },
  "pages.large-text": {
    states:
      "A reader who doubles the browser's text size gets larger text everywhere; nothing overlaps or leaves the window.",
    source: "goal",
  },
  "pages.accessible": {
    states:
      "Every screen passes axe for WCAG 2.2 A and AA, light and dark, at 1280 and 360 px, and never scrolls horizontally.",
    source: "goal",
  },
  "pages.first-words": {
    states:
      "From the set-up link a new user reaches the first text of an agent, without a model key, and then the same by API.",
    source: "goal",
  },
  "pages.sign-in": {
    states: "A signed-out visitor must sign in, sees an error for a wrong password, and then gets the requested page.",
    source: "goal",
  },
  "pages.session-ends": {
    states: "When a session ends while a person types, a dialog over the page renews it without losing input.",
    source: "goal",
  },
  "pages.drafts": {
    states:
      "What is typed into an answer or a new task survives a reload of the tab until it is sent or discarded or the question is over. Another person or workspace does not see it.",
    source: "goal",
  },
  "pages.form-drafts": {
    states:
      "What is typed into any form of the console is there again after Escape, a click beside it and a reload, until it is saved or discarded.",
    source: "goal",
  },
  "pages.secret-drafts": {
    states: "The tab's storage never holds a password, key or token that was typed into a form.",
    source: "goal",
  },
  "pages.new-task": {
    states: "A task with a file can be created from any screen, with the keyboard alone.",
    source: "goal",
  },
  "pages.answers": {
    states: "Each kind of question is answered on a page, and the run continues with the answer.",
    source: "goal",
  },
  "pages.answer-phone": {
    states: "At 360 px a link answers a question with one tap; later visitors see that it is closed.",
    source: "goal",
  },
  "pages.viewer": {
    states: "Controls that a role does not allow are shown, disabled, with the required role.",
    source: "goal",
  },
  "pages.home": {
    states: "Home shows open questions, running and failed work, spending, and two weeks of runs and cost.",
    source: "goal",
  },
  "pages.budget": {
    states:
      "A budget created in the console asks before it is exceeded; its bar agrees with the API after the approval.",
    source: "goal",
  },
  "pages.pause": {
    states: "New work is paused and resumed in the console; work queued in between stays queued.",
    source: "goal",
  },
  "pages.key": {
    states:
      "A key is created in the console, shown once, used by the drawer's curl line and command, rotated and revoked.",
    source: "goal",
  },
  "pages.service-accounts": {
    states: "An admin creates a service account and a key of it, changes its role, and removes it; a viewer sees it.",
    source: "goal",
  },
  "pages.connect-app": {
    states: "A person signs in, sees what an app asks for, allows or denies it, and disconnects it in the settings.",
    source: "goal",
  },
  "pages.connect-app.window": {
    states:
      "The consent page keeps the window that opened it, and a click that came as it got to the front allows nothing.",
    source: "goal",
  },
  "pages.expiring-keys": {
    states: "Home lists to admins the keys that expire within 14 days; the list of keys marks them.",
    source: "goal",
  },
  "pages.key-limits": {
    states:
      "The console sets, changes and shows the limits of a key, names its deleted agents, and shows a viewer the same.",
    source: "goal",
  },
  "pages.sign-out": {
    states: "Signing out leads to the sign-in page; other tabs ask for the password, and keep what is typed.",
    source: "goal",
  },
  "pages.sign-out-everywhere": {
    states: "A person signs out in all browsers; other tabs ask for the password.",
    source: "goal",
  },
  "pages.sign-in-limit": { states: "After too many wrong passwords the page shows the limit.", source: "goal" },
  "pages.invitation": {
    states:
      "A person invited as viewer joins by the link; controls that they may not use are disabled with the reason.",
    source: "goal",
  },
  "pages.filters": {
    states: "The filters of a list are its URL: back, reload and a shared URL show the same list.",
    source: "goal",
  },
  "pages.text-search": {
    states: "Schedules, triggers, routes, webhook subscriptions, tools, keys and members are found by a text.",
    source: "goal",
  },
  "pages.tab-title": {
    states: "The title of the browser's tab names the open tab of the screen.",
    source: "goal",
  },
  "pages.last-assignee": {
    states: "A new task begins with the agent or team that got the last one, unless it was deleted.",
    source: "goal",
  },
  "pages.person-phone": {
    states: "On a phone, the bar at the bottom has the person's menu.",
    source: "goal",
  },
  "pages.language": {
    states: "The console works in a browser with a language that its own Intl does not know, such as en-US@posix.",
    source: "goal",
  },
  "pages.budgets": {
    states:
      "The first view of a screen fetches at most 125 kB (sign-in) and 195 kB (runs) of scripts, and no screen needs more than 16 files or 256 kB of them.",
    source: "goal",
  },
  "pages.run-retry": {
    states: "A failed run opens at its failed step, with the error, and is continued from there.",
    source: "goal",
  },
  "pages.run-prompt": { states: "The prompt shown at a step is the prompt that the provider got.", source: "goal" },
  "pages.token-kinds": {
    states:
      "The console says which of the tokens were read from a cache, written to it, or reasoning: in the plot and the table of Usage, on Home, in the head of a run, at its steps and purged turns, and in Compare.",
    source: "goal",
  },
  "pages.run-fork": {
    states: "Before a fork is created, it shows what it reuses and the original cost of the other steps.",
    source: "goal",
  },
  "pages.run-amounts": {
    states:
      "The prompt of a model call has the tokens of each message; its details what budgets reserved, and what was used.",
    source: "goal",
  },
  "pages.run-fork-answer": {
    states:
      "An answered question is forked with another answer: the form has the old one, for each of the six kinds, of tasks and team runs.",
    source: "goal",
  },
  "pages.run-fork-output": {
    states: "A task is forked with a text in place of a model call.",
    source: "goal",
  },
  "pages.run-compare": {
    states: "Two attempts are compared step by step: equal steps are folded, other texts differ by word.",
    source: "goal",
  },
  "pages.search": { states: "The palette finds runs by words of their titles and opens them.", source: "goal" },
  "pages.palette": {
    states: "The palette finds a record by its id, a screen by what it shows, and each tab of the settings.",
    source: "goal",
  },
  "pages.palette-phone": {
    states: "On a phone, More leads to the person's other workspaces and signs out.",
    source: "goal",
  },
  "pages.bulk": {
    states: "Selected rows of the list of runs are cancelled, run again, or compared; skipped ones are reported.",
    source: "goal",
  },
  "pages.bulk-matching": {
    states: "All runs that match the filters are selected together, loaded or not; Shift selects a range of rows.",
    source: "goal",
  },
  "pages.long-list": {
    states: "Of a long list at most 60 rows are in the document and 2,000 in memory; dropped rows are loaded again.",
    source: "goal",
  },
  "pages.way-back": {
    states:
      "Escape leads from a record back to the page before, such as a list with its filters, unless something on the page takes it.",
    source: "goal",
  },
  "pages.saved-filters": { states: "Filters are saved, opened and removed by name.", source: "goal" },
  "pages.run-waits": {
    states:
      "A run without steps shows the reason (not assigned, scheduled, queued after others, or paused) and a remedy.",
    source: "goal",
  },
  "pages.run-announced": {
    states: "The page of a run announces each change of its state once to screen readers.",
    source: "goal",
  },
  "pages.run-large": {
    states: "Of 500 steps at most 60 are in the document, and a filter finds the most expensive one.",
    source: "goal",
  },
  "pages.clock": {
    states: "Ages and what is left until a deadline are right on a computer whose clock is wrong.",
    source: "goal",
  },
  "pages.run-live-large": {
    states: "The page of a run in progress reads only the steps that have changed, and all of them once it has ended.",
    source: "goal",
  },
} as const satisfies Requirements<"pages">;
