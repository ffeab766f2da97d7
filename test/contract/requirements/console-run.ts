import type { Requirements } from "./requirement.ts";

/** What people see and do on the page of a run. */
export const consoleRun = {
  "console.run.tries": {
    states: "The timeline draws a hatched bar for each try of a model call that failed.",
    source: "goal",
  },
  "console.run.branches": {
    states: "A run of 20 branches is one row that opens to a few; cancelling it stops all of them permanently.",
    source: "goal",
  },
  "console.run.words": {
    states: "While branches stream, each row shows its words and their rate, a closed group the sum.",
    source: "goal",
  },
  "console.run.follow": {
    states:
      "The page of a run selects the newest step until the person scrolls or selects; the key `l` begins again. The conversation of a run in progress stays at its end until the person scrolls up.",
    source: "goal",
  },
  "console.run.print": {
    states: "A printed run has all of its output, and no controls.",
    source: "goal",
  },
  "console.run.question-in-view": {
    states: "The page of a run that asks begins with its question, however long that is; Answer leads to its form.",
    source: "goal",
  },
  "console.run.facts": {
    states: "The head of a run names its source and links to its agent or team; Ctrl+. copies its id.",
    source: "goal",
  },
  "console.run.conversation": {
    states: "In Conversation each message names its model call, with tokens and cost, and leads to it.",
    source: "goal",
  },
  "console.run.long-conversation": {
    states:
      "Of a conversation of 200 entries and more only those near what is seen are in the document; none jumps, and `End` leads to the last one.",
    source: "goal",
  },
  "console.run.version": {
    states: "A run of an older version of its agent links to what has changed since.",
    source: "goal",
  },
  "console.run.score": {
    states: "The row of a delegation has the score of its accepted result; that of a reused step, where it is from.",
    source: "goal",
  },
  "console.run.takeover": {
    states: "The page of a run says when a process died, where it was resumed, and that no finished step was repeated.",
    source: "goal",
  },
  "console.run.cap": {
    states: "A run that exceeded its cap shows the use against it, and an admin raises it on the page, then retries.",
    source: "goal",
  },
  "console.run.budget-wait": {
    states: "The page of a run that waits for a budget says so and why, while it waits.",
    source: "goal",
  },
  "console.run.waits": {
    states: "A long wait is folded in the timeline; a click shows it in full, and folds it again.",
    source: "goal",
  },
  "console.run.many-waits": {
    states:
      "In a run with hundreds of long waits, those are drawn for which there is room; zooming in shows the others.",
    source: "goal",
  },
  "console.run.bars": {
    states: "In the timeline every bar in the visible range is whole, and no label is below a button.",
    source: "goal",
  },
  "console.run.failure-in-view": {
    states:
      "The page of a failed run begins with what failed, however many steps it has; Go to step leads to the step.",
    source: "goal",
  },
  "console.run.failure-once": {
    states: "The page of a failed run says what failed once, and shows beside it what was sent.",
    source: "goal",
  },
  "console.run.first-button": {
    states:
      "The first button of a failed run follows the cause: replace the key, raise the budget, fork, edit the agent or team, retry.",
    source: "goal",
  },
  "console.run.fan-out-causes": {
    states: "A large fan-out of which several branches failed is one row; the banner counts the causes.",
    source: "goal",
  },
  "console.run.question-beside": {
    states: "On a wide screen an open question is beside the steps, unless something else is open there.",
    source: "goal",
  },
  "console.run.narrow-keys": {
    states: "On a narrow screen the arrow keys walk through the steps of a run; Enter opens one.",
    source: "goal",
  },
  "console.run.json": {
    states: "JSON in a run's record is a text or a tree; of a large one only the open part is in the document.",
    source: "goal",
  },
  "console.run.once": {
    states: "The page of a run fetches its steps once; again when the run has newer events.",
    source: "goal",
  },
  "console.run.cancelled": {
    states: "The dialog names the running step; a cancelled run is retried from the step at which it stopped.",
    source: "goal",
  },
  "console.run.export": {
    states: "The menu of a run saves its record as JSON and opens the operator's log of it.",
    source: "goal",
  },
  "console.run.purged": {
    states: "Each view of a run whose steps are deleted says so, and offers what is still possible.",
    source: "goal",
  },
  "console.run.delete": {
    states: "A task or a team run can be deleted from its page; the dialog names what is deleted with it.",
    source: "goal",
  },
  "console.read-new": {
    states: "Streaming text is not announced; a button has a screen reader read what came since the last time.",
    source: "goal",
  },
  "console.unpriced": {
    states: "Usage warns of models that count as $0, with the setting for their prices.",
    source: "goal",
  },
  "console.step.link": {
    states: "The link to a step names the attempt, the step and the tab; it opens the same after a later attempt.",
    source: "goal",
  },
  "console.step.curl": {
    states: "The request of a model call is copied as a curl command of its provider's API; the key is a variable.",
    source: "goal",
  },
  "console.step.try": {
    states: "The input of a model call opens in the tab Try of its agent, ready to send.",
    source: "goal",
  },
  "console.stop.agent": {
    states: "On the page of an agent, two clicks cancel all its queued, running and waiting runs, also hundreds.",
    source: "goal",
  },
  "console.stop.usage": {
    states: "Usage lists what runs now with its cost; two clicks stop all runs of one agent or team, or one run.",
    source: "goal",
  },
} as const satisfies Requirements<"console">;
