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
  "pages.accessible": {
    states:
      "Every screen has no violation of WCAG 2.2 A and AA that axe finds, light and dark, at 1280 and 360 px, and never scrolls sideways.",
    source: "goal",
  },
  "pages.first-words": {
    states: "From the set-up link a newcomer gets to the first words of an agent, without a model key.",
    source: "goal",
  },
  "pages.sign-in": {
    states: "Who is not signed in is asked to, is told of a wrong password, and then gets the page that was asked for.",
    source: "goal",
  },
  "pages.session-ends": {
    states: "A session that ends while somebody types is renewed by a dialog over the page, which loses nothing.",
    source: "goal",
  },
  "pages.new-task": { states: "A task with a file is given from any screen, by keys alone.", source: "goal" },
  "pages.answers": {
    states: "Each kind of question is answered on a page, and the run goes on with the answer.",
    source: "goal",
  },
  "pages.answer-phone": {
    states: "A question is answered from a link at 360 px by one tap; who comes later is told that it is closed.",
    source: "goal",
  },
  "pages.viewer": {
    states: "What a role does not allow is shown, disabled, with the role that it needs.",
    source: "goal",
  },
  "pages.home": {
    states: "Home shows open questions, what runs and failed, what is spent, and two weeks of runs and cost.",
    source: "goal",
  },
  "pages.budget": {
    states: "A budget made in the console asks before it is exceeded; its bar agrees with the API after the approval.",
    source: "goal",
  },
  "pages.pause": {
    states: "New work is paused and resumed in the console; what is queued meanwhile stays queued.",
    source: "goal",
  },
  "pages.key": {
    states: "A key is made in the console, shown once, used by the drawer's curl line, rotated and revoked.",
    source: "goal",
  },
  "pages.sign-out-everywhere": {
    states: "A person signs out everywhere; other tabs ask for the password.",
    source: "goal",
  },
  "pages.sign-in-limit": { states: "Too many wrong passwords are told as such.", source: "goal" },
  "pages.invitation": {
    states: "A person invited as viewer comes in by the link; what they may not do is disabled with the reason.",
    source: "goal",
  },
  "pages.filters": {
    states: "The filters of a list are its address: back, reload and a shared address give the same list.",
    source: "goal",
  },
  "pages.budgets": {
    states:
      "The first view of a screen fetches at most 125 kB (sign-in) and 195 kB (runs) of scripts, and makes at most 4 requests.",
    source: "goal",
  },
  "pages.run-retry": {
    states: "A failed run opens at the step at which it failed, with its error, and is continued from there.",
    source: "goal",
  },
  "pages.run-prompt": { states: "The prompt that a step shows is the one that the provider got.", source: "goal" },
  "pages.run-fork": {
    states: "A fork from a step says what it reuses and what the rest has cost before it is made.",
    source: "goal",
  },
  "pages.run-compare": {
    states: "Two attempts are compared step by step: equal steps are folded, the texts of others differ by word.",
    source: "goal",
  },
  "pages.search": { states: "The palette finds runs by words of their titles and opens them.", source: "goal" },
  "pages.bulk": {
    states: "Rows of the list of runs are selected and cancelled, run again, or compared; it says what was skipped.",
    source: "goal",
  },
  "pages.long-list": {
    states: "Of a long list at most 60 rows are in the document and 2,000 are kept; those dropped come back.",
    source: "goal",
  },
  "pages.saved-filters": { states: "Filters are kept under a name, and opened and removed by it.", source: "goal" },
  "pages.run-waits": {
    states: "A run without steps says why: not assigned, scheduled, queued behind others, or paused; and what helps.",
    source: "goal",
  },
  "pages.run-large": {
    states: "Of 500 steps at most 60 are in the document, and the most expensive one is found by a filter.",
    source: "goal",
  },
} as const satisfies Requirements<"pages">;
