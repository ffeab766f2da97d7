import type { Requirements } from "./requirement.ts";

/** What people see and do on screens of the console. */
export const consoleScreens = {
  "console.agents.week": {
    states: "The list of agents and an agent's runs show the totals of the last 7 days.",
    source: "goal",
  },
  "console.agents.used-by": {
    states: "An agent's page lists its references, and the delete dialog lists what changes with it.",
    source: "goal",
  },
  "console.run.tries": {
    states: "The timeline draws a hatched bar for each try of a model call that failed.",
    source: "goal",
  },
  "console.links.list": {
    states: "The links of a workspace or a question are listed page by page, without their tokens.",
    source: "goal",
  },
  "console.links.revoke": {
    states:
      "A revoked link gets the same response as an unknown one; the audit log records its creation and revocation.",
    source: "goal",
  },
  "console.pages.access": {
    states: "Keys, members and invitations are listed page by page, each row exactly once.",
    source: "goal",
  },
  "console.details.steady": {
    states: "Usage shows its parts together, so that no part shifts the layout while the page loads.",
    source: "goal",
  },
  "console.details.not-found": {
    states: "The page of an unknown record links back to its list.",
    source: "goal",
  },
  "console.settings.quota-full": {
    states: "The settings of a workspace name a quota that is used up, and what helps.",
    source: "goal",
  },
  "console.details.elsewhere": {
    states: "The page or the panel of a record that another of the person's workspaces has leads to it there.",
    source: "goal",
  },
  "console.details.new-agent": {
    states: "Input for a new agent survives a reload of the tab until the agent is created or the input is discarded.",
    source: "goal",
  },
  "console.details.run-title": {
    states: "The title of a team run is the first line of its input; all of the input is on its page.",
    source: "goal",
  },
  "console.details.model-fault": {
    states:
      "An agent whose provider, or fallback provider, is not set up is marked in the list and on its page, with a link to set it up.",
    source: "goal",
  },
  "console.details.times": {
    states: "Schedule fires and trigger deliveries appear on their page as they happen.",
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
  "console.run.narrow-keys": {
    states: "On a narrow screen the arrow keys walk through the steps of a run; Enter opens one.",
    source: "goal",
  },
  "console.run.json": {
    states: "JSON in a run's record is a text or a tree; of a large one only the open part is in the document.",
    source: "goal",
  },
  "console.lists.pages": {
    states: "The lists of voices and output templates are shown page by page; the URL opens any of them.",
    source: "goal",
  },
  "console.run.once": {
    states: "The page of a run fetches its steps once; again when the run has newer events.",
    source: "goal",
  },
  "console.errors.wait": {
    states: "A list that is rejected for too many requests counts down the wait, then asks once.",
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
  "console.lists.density": {
    states: "A person chooses comfortable or compact rows for all lists; the browser keeps the choice.",
    source: "goal",
  },
  "console.lists.whole": {
    states:
      "What a screen counts or offers from a list is from all of it; where it is from the first rows only, the screen says so.",
    source: "goal",
  },
  "console.lists.focus": {
    states:
      "The focus stays in the page when the button that shows more or new rows is gone; j begins at the first row in view.",
    source: "goal",
  },
  "console.keys.single": {
    states: "Keys without a modifier, also those of the zoom, do nothing in fields, and nothing when switched off.",
    source: "goal",
  },
  "console.keys.typed-on": {
    states: "Keys of a text whose field has left the page while it was typed do nothing.",
    source: "goal",
  },
  "console.forms.stale": {
    states:
      "A form says that its record was changed elsewhere since it was opened, and saves only the fields that were edited.",
    source: "goal",
  },
  "console.lists.widths": {
    states: "The columns of long lists are resized by dragging or by the arrow keys; the browser keeps their widths.",
    source: "goal",
  },
  "console.json-field": {
    states:
      "A JSON field says in which line and column its text stops being JSON, goes there, and formats a valid text.",
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
  "console.undo.saved": {
    states: "The message about a saved agent, a restored version or a changed budget has Undo, which restores it.",
    source: "goal",
  },
  "console.undo.discarded": {
    states: "Undo brings back discarded changes of an agent or a team, and a removed filter.",
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
  "console.times": {
    states: "Each person chooses whether times are shown in the local time zone or in UTC.",
    source: "goal",
  },
  "console.pickers.run": {
    states: "The two runs of a comparison are found by title or id at the server.",
    source: "goal",
  },
  "console.focus": {
    states:
      "The focus returns where it came from when a dialog closes, and is not under a head or a bar that stays in view.",
    source: "goal",
  },
  "console.drawer-key": {
    states: "An admin can make an API key in the API drawer; it is shown once.",
    source: "goal",
  },
  "console.keyboard": {
    states: "With the keyboard alone a run is filtered, opened, read and cancelled, and a question answered.",
    source: "goal",
  },
  "console.direction": {
    states:
      "What people, models and strangers wrote shows characters that turn the direction of text, and does not obey them.",
    source: "goal",
  },
  "console.viewer": {
    states:
      "A viewer sees no enabled control that would be rejected: controls that write are disabled, with the required role.",
    source: "goal",
  },
  "console.parts": {
    states:
      "While the service does not respond, a screen whose code is not loaded leaves the page as it is; then it opens.",
    source: "goal",
  },
  "console.pages.left": {
    states: "What a page starts after the person has left it, such as selecting a step, does not lead back to it.",
    source: "goal",
  },
  "console.lists.top": {
    states:
      "Another list or screen starts at its top, and PageDown scrolls it. Back restores the place, a dialog leaves it.",
    source: "goal",
  },
  "console.first-use": {
    states: "A list without records has one sentence and the request that creates the first one, also on a phone.",
    source: "goal",
  },
  "console.errors": {
    states:
      "Every screen shows an error response or a lost connection in place of its content: the service's message, the request's id, and Retry.",
    source: "goal",
  },
  "console.pickers.all": {
    states: "Names and tags of agents are shown for any number of agents.",
    source: "goal",
  },
  "console.pickers": {
    states:
      "Agents and teams are chosen from a list; with more than 50 by a search on the server, with the keyboard alone.",
    source: "goal",
  },
  "console.mcp-server": {
    states: "The tools of an MCP server are listed before it is saved; saved header values are never shown again.",
    source: "goal",
  },
} as const satisfies Requirements<"console">;
