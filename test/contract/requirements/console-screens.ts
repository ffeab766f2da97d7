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
  "console.lists.pages": {
    states: "The lists of voices and output templates are shown page by page; the URL opens any of them.",
    source: "goal",
  },
  "console.markdown.hostile": {
    states: "A text that takes a Markdown parser too long, or too deep, is shown as it was written; the page goes on.",
    source: "goal",
  },
  "console.markdown.tables": {
    states: "Words and numbers in a table of a text are not broken; a table that is too wide scrolls.",
    source: "goal",
  },
  "console.markdown.long": {
    states: "Of a very long text the beginning is shown, with its size, the whole text on demand, and a download.",
    source: "goal",
  },
  "console.errors.calm": {
    states:
      "A screen whose requests are refused sends each once with 403 or 429 and at most three times with 500, shows the service's message, and keeps its other parts.",
    source: "goal",
  },
  "console.gone.record": {
    states: "The page of a run or an agent that is deleted elsewhere says so and leads back to the list.",
    source: "goal",
  },
  "console.gone.member": {
    states:
      "A person who is removed from a workspace is told so on its open page, with links to their other workspaces and a way to sign out.",
    source: "goal",
  },
  "console.errors.wait": {
    states: "A list that is rejected for too many requests counts down the wait, then asks once.",
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
  "console.forms.overwrite": {
    states:
      "A save that would replace what another person has changed shows that at the field; a second save replaces it.",
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
  "console.undo.saved": {
    states: "The message about a saved agent, a restored version or a changed budget has Undo, which restores it.",
    source: "goal",
  },
  "console.undo.discarded": {
    states: "Undo brings back discarded changes of an agent or a team, and a removed filter.",
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
