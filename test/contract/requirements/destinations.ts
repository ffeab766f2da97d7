import type { Requirements } from "./requirement.ts";

/** What each kind of destination is given. */
export const destinations = {
  "destinations.docs": {
    states: "Each destination has a page with its fields and an example that works.",
    source: "goal",
  },
  "destinations.official-schemas": {
    states: "Each request is valid by the vendor's official schema or types, where the vendor publishes one.",
    source: "goal",
  },
  "destinations.http": {
    states: "http posts the full payload untruncated.",
    source: "contract",
  },
  "destinations.slack": {
    states: "slack posts a block to the webhook, green when completed and red when failed.",
    source: "contract",
  },
  "destinations.slack.truncation": {
    states: "slack cuts the result at 2,900 characters.",
    source: "contract",
  },
  "destinations.slack.truncation-note": {
    states: "It cuts between code points and notes the full length.",
    source: "decision",
  },
  "destinations.discord": {
    states: "discord posts an embed with agent, title, status and result, green when completed and red when failed.",
    source: "contract",
  },
  "destinations.discord.truncation": {
    states: "discord cuts the result at 1,000 characters.",
    source: "contract",
  },
  "destinations.telegram": {
    states: "telegram sends a message with the bot token to a numeric chat, a group or a channel name.",
    source: "contract",
  },
  "destinations.telegram.truncation": {
    states: "telegram cuts the result at 3,500 characters.",
    source: "contract",
  },
  "destinations.teams": {
    states: "teams posts a card of version 1.4 with header, facts, monospace result and, when failed, the error.",
    source: "contract",
  },
  "destinations.teams.truncation": {
    states: "teams cuts the result at 2,000 characters.",
    source: "contract",
  },
  "destinations.asana": {
    states: "asana creates a task in the project.",
    source: "contract",
  },
  "destinations.trello": {
    states: "trello creates a card in the default list.",
    source: "contract",
  },
  "destinations.trello.mapped-card": {
    states: "A task that came from a card comments on that card and moves it to the review list.",
    source: "contract",
  },
  "destinations.notion": {
    states: "notion creates a page in the database.",
    source: "contract",
  },
  "destinations.github": {
    states: "github opens an issue with the configured labels and assignees.",
    source: "contract",
  },
  "destinations.email": {
    states: "email sends through the managed service to every configured address.",
    source: "contract",
  },
  "destinations.smtp": {
    states: "smtp sends through the configured server to every configured address.",
    source: "contract",
  },
  "destinations.linear": {
    states: "linear creates an issue in the team.",
    source: "contract",
  },
  "destinations.linear.labels": {
    states: "Labels are matched by name against the team's own.",
    source: "contract",
  },
  "destinations.google-sheets": {
    states: "google_sheets appends a row of timestamp, event, task title, agent, status and result.",
    source: "contract",
  },
  "destinations.google-sheets.default-sheet": {
    states: "Without a sheet name the first sheet is used.",
    source: "contract",
  },
  "destinations.google-gmail": {
    states: "google_gmail sends HTML as the connected user.",
    source: "contract",
  },
  "destinations.google-docs": {
    states: "google_docs creates a document with the full result, named by service, task title and timestamp.",
    source: "contract",
  },
  "destinations.google-docs.default-folder": {
    states: "Without a folder the document is created in the drive's root.",
    source: "contract",
  },
  "destinations.google-calendar": {
    states: "google_calendar creates an event with title and result that starts one hour after completion.",
    source: "contract",
  },
  "destinations.google-calendar.duration": {
    states: "It lasts 30 minutes unless the route says otherwise.",
    source: "contract",
  },
  "destinations.google-calendar.default-calendar": {
    states: "Without a calendar the primary one is used.",
    source: "contract",
  },
  "destinations.google.oauth": {
    states: "A Google account is connected once per workspace by OAuth 2.0.",
    source: "contract",
  },
  "destinations.google.same-browser": {
    states:
      "Only the browser that started a connection completes it; a connection started by the API is completed with the key and a code.",
    source: "goal",
  },
  "destinations.google.redirects": {
    states:
      "The OAuth redirect URI never follows a forged Host header, and no redirect of the token endpoint is followed.",
    source: "goal",
  },
  "destinations.google.tokens": {
    states: "OAuth tokens are stored encrypted and refreshed automatically.",
    source: "contract",
  },
  "destinations.google.settings": {
    states: "The OAuth client id and secret are settings of the instance.",
    source: "contract",
  },
  "destinations.subject-template": {
    states: "Subjects of mail fill in {{title}}, {{status}} and {{agent}}.",
    source: "contract",
  },
  "destinations.created-item.title": {
    states: "Created tasks, cards, pages and issues are named [Service] title — status.",
    source: "contract",
  },
  "destinations.created-item.body": {
    states: "Their body holds event type, agent, timestamp and the full result.",
    source: "contract",
  },
  "destinations.no-secret-in-errors": {
    states: "No error of a destination contains one of its secrets.",
    source: "goal",
  },
  "destinations.trello.inbound-creates-task": {
    states: "POST /inbound/trello/:channelId creates a task from the card by the mapping.",
    source: "decision",
  },
  "destinations.trello.inbound-verification": {
    states: "HEAD on that path responds to the vendor's check.",
    source: "decision",
  },
  "destinations.trello.inbound-limit": {
    states: "Cards count among what the workspace's plan allows a minute outside the envelope API; more are 429.",
    source: "goal",
  },
  "destinations.trello.inbound-ways": {
    states:
      "A card starts a task however it comes into the list: created, copied, by e-mail, from a checklist, from another board or list. The task has the description, which is read with the channel's or a route's credentials.",
    source: "goal",
  },
  "destinations.trello.inbound-signature": {
    states: "A call whose x-trello-webhook signature is wrong is rejected.",
    source: "decision",
  },
  "destinations.units": {
    states: "A result is cut in the unit in which its vendor counts: Telegram, Notion and others count an emoji twice.",
    source: "goal",
  },
  "destinations.no-mentions": {
    states: "A result mentions no one on GitHub, Telegram and Trello; Markdown's code keeps its text.",
    source: "goal",
  },
  "destinations.google-calendar.html": {
    states: "What a model wrote is no HTML in the description of a calendar's event.",
    source: "goal",
  },
  "destinations.notion.data-sources": {
    states: "A Notion page is created in a data source: the one that the route names, or the database's first.",
    source: "goal",
  },
  "destinations.pasted-values": {
    states:
      "A configuration takes what people paste: URLs in place of ids, names with addresses, semicolons, international domains, owners of managed users. A URL without an id is rejected with what is meant.",
    source: "goal",
  },
  "destinations.smtp.relay": {
    states: "The operator can name mail relays inside the network, which need no user, password or TLS.",
    source: "goal",
  },
} as const satisfies Requirements<"destinations">;
