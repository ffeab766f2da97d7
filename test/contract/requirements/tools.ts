import type { Requirements } from "./requirement.ts";

/** The tools that agents can use: those of the service, and those that a workspace makes. */
export const tools = {
  "tools.search.searxng": {
    states: "web_search asks a SearXNG by its search API and gives the hits as title, address and description.",
    source: "goal",
  },
  "tools.search.brave": { states: "web_search asks Brave Search by its web search API.", source: "goal" },
  "tools.search.tavily": { states: "web_search asks Tavily by its search endpoint.", source: "goal" },
  "tools.search.serper": { states: "web_search asks Serper by its search endpoint.", source: "goal" },
  "tools.search.not-configured": {
    states: "Without a search service web_search fails with a message that names the settings.",
    source: "goal",
  },
  "tools.search.errors": {
    states: "A search service that rejects, is away or answers nonsense is a tool error without its key.",
    source: "goal",
  },
  "tools.http-request": {
    states: "http_request sends a method, headers and a body, and gives status, headers and body back.",
    source: "goal",
  },
  "tools.read-url.html": {
    states: "read_url gives a page's readable text without menus and scripts, with its links.",
    source: "goal",
  },
  "tools.read-url.plain": { states: "read_url passes plain text and JSON through.", source: "goal" },
  "tools.read-url.types": { states: "read_url rejects other types with a clear error.", source: "goal" },
  "tools.read-url.caps": {
    states: "Pages that are too large, too slow or too complex end in a tool error, not in a dead process.",
    source: "goal",
  },
  "tools.web.guard": {
    states: "What an agent names never leads to private networks, through redirects and names neither.",
    source: "decision",
  },
  "tools.web.allow-private": {
    states: "ALLOW_PRIVATE_URLS opens private networks, and never a cloud's metadata service.",
    source: "decision",
  },
  "tools.names.known": {
    states: "A tool name that means nothing is 400 with its path and the known ones, on create, change and import.",
    source: "goal",
  },
  "tools.names.promised": {
    states: "Names of tools that are promised, and of tools of MCP servers, may be listed before they can be used.",
    source: "decision",
  },
  "tools.custom.crud": {
    states: "/console/api/tools lists, makes, reads, changes and deletes a workspace's custom tools.",
    source: "goal",
  },
  "tools.custom.checked": {
    states: "A custom tool with a wrong name, schema, address, header or time-out is 400 with the path.",
    source: "goal",
  },
  "tools.custom.name-once": {
    states: "A custom tool has a name that no other tool of the workspace has.",
    source: "goal",
  },
  "tools.custom.secret-headers": {
    states: "Header values are encrypted and in no answer, log, stream or error, but for their last four characters.",
    source: "goal",
  },
  "tools.custom.admins": {
    states: "Admins make, change and delete custom tools; members test them; viewers read them.",
    source: "goal",
  },
  "tools.custom.listed": {
    states: "An agent lists a custom tool as custom:<id>, and the model is told its name, description and schema.",
    source: "decision",
  },
  "tools.custom.foreign": {
    states: "Another workspace's custom tool is as unknown as one that nobody has, wherever it is named.",
    source: "goal",
  },
  "tools.custom.request": {
    states: "Arguments fill the placeholders of the address; the rest goes into the query or a JSON body.",
    source: "goal",
  },
  "tools.custom.bad-arguments": {
    states: "Arguments that do not fit the schema go back to the model, and no call is made.",
    source: "goal",
  },
  "tools.custom.failures": {
    states: "A rejection, silence beyond the time-out and an unreachable endpoint are tool errors that tell why.",
    source: "goal",
  },
  "tools.custom.idempotency-key": {
    states: "Each call carries an Idempotency-Key that is the same when the call is made again after a crash.",
    source: "goal",
  },
  "tools.custom.cancel": { states: "Cancelling a task aborts the request of a custom tool.", source: "decision" },
  "tools.custom.approval": {
    states: "A custom tool marked requires_approval is called only after a person's approval.",
    source: "decision",
  },
  "tools.custom.test": {
    states: "POST /console/api/tools/:id/test makes a call and gives status, duration and what a model would read.",
    source: "goal",
  },
  "tools.custom.calls": {
    states: "Each call is logged with status, duration and error; the log is readable and pruned by age.",
    source: "goal",
  },
  "tools.custom.delete-used": {
    states: "A custom tool that agents list cannot be deleted; the rejection names the agents.",
    source: "goal",
  },
  "tools.custom.guard": {
    states: "A custom tool reaches private networks only where the operator allows it, and metadata services never.",
    source: "goal",
  },
  "tools.custom.cli": {
    states: "muster tools lists, creates, tests and deletes custom tools, and shows their calls.",
    source: "goal",
  },
} as const satisfies Requirements<"tools">;
