import type { Requirements } from "./requirement.ts";

/** The command line, which speaks HTTP to any instance. */
export const cli = {
  "cli.runs-from-checkout": { states: "npx muster works from the checkout.", source: "goal" },
  "cli.serve": { states: "muster serve starts the service.", source: "goal" },
  "cli.init": { states: "muster init sets up an instance.", source: "goal" },
  "cli.agents.list": { states: "muster agents list shows the workspace's agents.", source: "goal" },
  "cli.agents.model-settings": {
    states:
      "muster agents create and update set the fallback models, temperature, reasoning, output schema and caching, and remove what was set.",
    source: "goal",
  },
  "cli.agents.create": { states: "muster agents create makes an agent.", source: "goal" },
  "cli.tasks.create": {
    states: "muster tasks create --agent creates a task for an agent.",
    source: "goal",
  },
  "cli.tasks.create-watch": {
    states: "With --watch the model's text is shown as it arrives, then the result.",
    source: "goal",
  },
  "cli.tasks.list": { states: "muster tasks list shows tasks.", source: "goal" },
  "cli.tasks.get": { states: "muster tasks get shows one task.", source: "goal" },
  "cli.tasks.cancel": { states: "muster tasks cancel cancels a task.", source: "goal" },
  "cli.export": { states: "muster export writes a file to a path or to standard output.", source: "goal" },
  "cli.import": { states: "muster import reads a file from a path or from standard input.", source: "goal" },
  "cli.marketplace.list": { states: "muster marketplace list shows offered agents.", source: "goal" },
  "cli.marketplace.install": { states: "muster marketplace install copies an offered agent.", source: "goal" },
  "cli.agents.confirm": {
    states: "muster agents confirm shows a copy from the marketplace and lets it work; a program must say --yes.",
    source: "goal",
  },
  "cli.doctor": {
    states:
      "muster doctor has one line for each check of the installation, with a remedy for each fault, and exits with 1 for warnings and 2 for failures.",
    source: "goal",
  },
  "cli.doctor.tenancy": {
    states:
      "muster doctor --tenancy asks every table and every route of an installation for another workspace's rows, names what it finds, and leaves nothing behind.",
    source: "goal",
  },
  "cli.doctor.public-address": {
    states:
      "muster doctor opens a stream at PUBLIC_URL, and says whether it leads to the service, and whether events arrive as they are sent; it asks no other address.",
    source: "goal",
  },
  "cli.tasks.answer": {
    states: "muster tasks answer shows and answers the question that a task waits for; watching also shows it.",
    source: "goal",
  },
  "cli.runs.answer": {
    states: "muster runs answer shows and answers the question that a team run waits for; watching also shows it.",
    source: "goal",
  },
  "cli.tasks.fork": {
    states: "muster tasks fork continues a task from a model call, with another answer of a person or a given output.",
    source: "goal",
  },
  "cli.runs.fork": {
    states: "muster runs fork and retry continue from a step of a run, optionally with another answer of a person.",
    source: "goal",
  },
  "cli.teams.memories": {
    states: "muster teams memories list and delete show a team's memories and delete one or all.",
    source: "goal",
  },
  "cli.teams.run-watch": {
    states:
      "muster teams run and muster runs watch show a run's steps with state, time, tokens and cost, then its output.",
    source: "goal",
  },
  "cli.whoami": { states: "muster whoami shows the key's owner.", source: "goal" },
  "cli.usage": {
    states: "muster usage shows usage by day, agent, model or team; also as CSV.",
    source: "goal",
  },
  "cli.estimates": {
    states: "muster tasks create --estimate tells what a task will cost, muster usage --what-if other models' prices.",
    source: "goal",
  },
  "cli.usage-kinds": {
    states:
      "muster says which of the tokens were read from a cache, written to it, or reasoning: in usage, tasks, runs and at the end of watching.",
    source: "goal",
  },
  "cli.budgets": { states: "muster budgets lists, sets and deletes budgets.", source: "goal" },
  "cli.keys": {
    states: "muster keys list, create, rotate and revoke manage the workspace's keys.",
    source: "goal",
  },
  "cli.files": {
    states: "muster files upload, list, get and delete manage files; --attach attaches them to tasks and runs.",
    source: "goal",
  },
  "cli.apps": {
    states: "muster apps lists and disconnects apps that people connected.",
    source: "goal",
  },
  "cli.service-accounts": {
    states:
      "muster service-accounts creates, lists, changes and removes service accounts; keys create gives them keys.",
    source: "goal",
  },
  "cli.members": {
    states: "muster members list, invite and remove manage the workspace's people.",
    source: "goal",
  },
  "cli.providers.fields": {
    states: "`muster providers set` takes the resource, region, project and API of a connection.",
    source: "goal",
  },
  "cli.json": {
    states: "With --json a command prints one JSON value and nothing else on standard output.",
    source: "goal",
  },
  "cli.deliveries": {
    states: "The CLI manages output routes, and lists, shows and redelivers deliveries; it never prints secrets.",
    source: "goal",
  },
  "cli.hooks": { states: "The CLI creates, rotates and ends webhook subscriptions.", source: "goal" },
  "cli.exit-codes": {
    states: "A successful command exits with 0, a failed one with another code.",
    source: "goal",
  },
  "cli.errors.service": {
    states: "An error of the service is shown with its message and details.",
    source: "goal",
  },
  "cli.errors.unreachable": {
    states: "For an unreachable instance the error contains its URL and how to choose another.",
    source: "goal",
  },
  "cli.tasks.retry": {
    states: "muster tasks retry runs one task again, or all that failed with a code.",
    source: "goal",
  },
  "cli.errors.no-key": { states: "The error for a missing key states how to set it.", source: "goal" },
  "cli.errors.unknown-command": {
    states: "An unknown command or option is rejected with a list of the known ones.",
    source: "goal",
  },
  "cli.deletes.need-yes": {
    states: "Without a terminal and without --yes a deletion changes nothing, says so, and ends with 2.",
    source: "goal",
  },
  "cli.tasks.at": {
    states: "tasks get and tasks list show when a task starts that was created with --at.",
    source: "goal",
  },
  "cli.deletes.ask": {
    states: "On a terminal a deletion lists what it deletes and asks; --yes skips the question.",
    source: "goal",
  },
  "cli.tables.fit": {
    states: "On a terminal a table fits its width; commands accept the short ids that it shows in place of ids.",
    source: "goal",
  },
  "cli.login": {
    states: "muster login stores URL and key of a service in a profile after it has checked them.",
    source: "goal",
  },
  "cli.completion": { states: "muster completion completes commands, options and values.", source: "goal" },
  "cli.completion.hostile": {
    states: "Names are completed as text: no shell evaluates what they contain.",
    source: "goal",
  },
  "cli.missing-key": {
    states:
      "Creating, changing or showing an agent warns when its model's provider has no key, and states what to add.",
    source: "goal",
  },
  "cli.progress": {
    states: "Uploads and indexing show a progress bar on a terminal only.",
    source: "goal",
  },
  "cli.questions": {
    states: "muster questions lists and shows questions, and creates, lists and revokes links that answer them.",
    source: "goal",
  },
  "cli.demo": {
    states:
      "npm run demo, in a separate folder, kills its service during a reply, shows that the stream continues, asks a question, and prints the cost.",
    source: "goal",
  },
} as const satisfies Requirements<"cli">;
