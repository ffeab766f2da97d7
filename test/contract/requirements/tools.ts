import type { Requirements } from "./requirement.ts";

/** The tools that agents can use: those of the service, and those that a workspace makes. */
export const tools = {
  "tools.search.searxng": {
    states: "web_search calls a SearXNG's search API and returns the hits as title, URL and description.",
    source: "goal",
  },
  "tools.search.brave": { states: "web_search calls Brave Search's web search API.", source: "goal" },
  "tools.search.tavily": { states: "web_search calls Tavily's search endpoint.", source: "goal" },
  "tools.search.serper": { states: "web_search calls Serper's search endpoint.", source: "goal" },
  "tools.search.not-configured": {
    states: "Without a search service web_search fails with a message that names the settings.",
    source: "goal",
  },
  "tools.search.errors": {
    states: "A rejection, an outage or an invalid response of a search service is a tool error without its key.",
    source: "goal",
  },
  "tools.http-request": {
    states: "http_request sends a method, headers and a body, and returns status, headers and body.",
    source: "goal",
  },
  "tools.read-url.html": {
    states: "read_url returns a page's readable text without menus and scripts, with its links.",
    source: "goal",
  },
  "tools.read-url.plain": { states: "read_url returns plain text and JSON unchanged.", source: "goal" },
  "tools.read-url.types": { states: "read_url rejects other types with a clear error.", source: "goal" },
  "tools.read-url.caps": {
    states: "Pages that are too large, too slow or too complex cause a tool error and never end the process.",
    source: "goal",
  },
  "tools.web.guard": {
    states: "URLs from agents never lead to private networks, also not through redirects or names.",
    source: "decision",
  },
  "tools.web.allow-private": {
    states: "ALLOW_PRIVATE_URLS allows private networks, but never a cloud's metadata service.",
    source: "decision",
  },
  "tools.names.known": {
    states: "An unknown tool name is 400 with its path and the known names, on create, change and import.",
    source: "goal",
  },
  "tools.names.promised": {
    states: "Names of announced tools and of tools of MCP servers may be listed before they can be used.",
    source: "decision",
  },
  "tools.custom.crud": {
    states: "/console/api/tools lists, creates, reads, changes and deletes a workspace's custom tools.",
    source: "goal",
  },
  "tools.custom.checked": {
    states: "A custom tool with an invalid name, schema, URL, header or timeout is 400 with the path.",
    source: "goal",
  },
  "tools.custom.name-once": {
    states: "A custom tool's name is unique among the workspace's tools.",
    source: "goal",
  },
  "tools.custom.secret-headers": {
    states:
      "Header values are encrypted; no response, log, stream or error contains them, except for their last four characters.",
    source: "goal",
  },
  "tools.custom.admins": {
    states: "Admins create, change and delete custom tools; members test them; viewers read them.",
    source: "goal",
  },
  "tools.custom.listed": {
    states: "An agent lists a custom tool as custom:<id>, and the model gets its name, description and schema.",
    source: "decision",
  },
  "tools.custom.foreign": {
    states: "Another workspace's custom tool gets the response of an unknown one, wherever its id is used.",
    source: "goal",
  },
  "tools.custom.request": {
    states: "Arguments fill the placeholders of the URL; the others are in the query or a JSON body.",
    source: "goal",
  },
  "tools.custom.bad-arguments": {
    states: "Arguments that do not fit the schema return an error to the model, and no call is made.",
    source: "goal",
  },
  "tools.custom.failures": {
    states: "A rejection, a timeout and an unreachable endpoint are tool errors with the reason.",
    source: "goal",
  },
  "tools.custom.idempotency-key": {
    states: "Each call has an Idempotency-Key, which stays the same when the call is repeated after a crash.",
    source: "goal",
  },
  "tools.custom.cancel": { states: "Cancelling a task aborts the request of a custom tool.", source: "decision" },
  "tools.custom.approval": {
    states: "A custom tool marked requires_approval is called only after a person's approval.",
    source: "decision",
  },
  "tools.custom.test": {
    states: "POST /console/api/tools/:id/test makes a call and returns status, duration and what a model would read.",
    source: "goal",
  },
  "tools.custom.calls": {
    states: "Each call is logged with status, duration and error; the log is readable and pruned by age.",
    source: "goal",
  },
  "tools.custom.delete-used": {
    states: "A custom tool that agents list cannot be deleted; the error lists the agents.",
    source: "goal",
  },
  "tools.custom.guard": {
    states: "A custom tool reaches private networks only if the operator allows it, and metadata services never.",
    source: "goal",
  },
  "tools.custom.cli": {
    states: "muster tools lists, creates, tests and deletes custom tools, and shows their calls.",
    source: "goal",
  },
} as const satisfies Requirements<"tools">;
