import type { MusterClient, Page } from "#client/index.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { plural } from "./resolve-name.ts";
import type { Named } from "./resolve-name.ts";

/** The maximum number of records that are searched for a name or a short id, newest first. */
const MAX_SEARCHED = 1_000;

/** A kind of records that a command line can name. */
interface RecordKind {
  /** The noun for one record. */
  readonly what: string;
  /** The command that lists them. */
  readonly listedBy: string;
  /** Reads the newest records with their names. @param size the maximum number */
  readonly list: (muster: MusterClient, size: number) => Promise<readonly Named[]>;
  /** A sentence on how to create the first one; absent where only runs create them, or one always exists. */
  readonly hint?: string;
}

/** Returns the names of the records of all pages, up to `size`. */
async function named<Item>(
  size: number,
  read: (size: number) => Promise<Page<Item>>,
  name: (item: Item) => Named,
): Promise<readonly Named[]> {
  return (await listUpTo(size, read)).items.map(name);
}

const byName = ({ id, name }: Named): Named => ({ id, name });

/** All kinds of records that commands accept by id, by the end of an id, or by name. */
export const RECORD_KINDS = {
  agent: {
    what: "agent",
    listedBy: "agents list",
    hint: "Create one: muster agents create --name Writer --model demo",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listAgents({ limit }),
        ({ id, name, model }) => ({ id, name, detail: model }),
      ),
  },
  team: {
    what: "team",
    listedBy: "teams list",
    hint: "Create one: muster teams create --name Crew --mode pipeline --config crew.json",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listTeams({ limit }),
        ({ id, name, mode }) => ({ id, name, detail: mode }),
      ),
  },
  task: {
    what: "task",
    listedBy: "tasks list",
    hint: "Create one: muster tasks create --help",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listTasks({ limit }),
        ({ id, title, status }) => ({ id, name: title, detail: status }),
      ),
  },
  run: {
    what: "run",
    listedBy: "runs list",
    hint: 'Start one: muster teams run <team> --input "…"',
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listTeamRuns({ limit }),
        ({ id, input_task: name, status }) => ({ id, name, detail: status }),
      ),
  },
  question: {
    what: "open question",
    listedBy: "questions list",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listQuestions({ limit }),
        ({ id, request, subject }) => ({ id, name: request.title, detail: `${subject.kind} ${subject.title}` }),
      ),
  },
  "answer link": {
    what: "answer link",
    listedBy: "questions links",
    hint: "Create one: muster questions link <id>",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listAnswerLinks({ limit }),
        ({ id, question, state }) => ({ id, name: question ?? "", detail: state }),
      ),
  },
  schedule: {
    what: "schedule",
    listedBy: "schedules list",
    hint: "Create one: muster schedules create --help",
    list: (muster, size) => named(size, (limit) => muster.listSchedules({ limit }), byName),
  },
  trigger: {
    what: "trigger",
    listedBy: "triggers list",
    hint: "Create one: muster triggers create --help",
    list: (muster, size) => named(size, (limit) => muster.listTriggers({ limit }), byName),
  },
  page: {
    what: "page",
    listedBy: "pages list",
    hint: "Create one: muster pages create --help",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listAgentPages({ limit }),
        ({ id, title, slug }) => ({ id, name: title, detail: slug }),
      ),
  },
  route: {
    what: "output route",
    listedBy: "routes list",
    hint: "Create one: muster routes create --help",
    list: (muster, size) => named(size, (limit) => muster.listRoutes({ limit }), byName),
  },
  alert: {
    what: "alert",
    listedBy: "alerts list",
    hint: "Create one: muster alerts create --help",
    list: (muster, size) => named(size, (limit) => muster.listAlerts({ limit }), byName),
  },
  delivery: {
    what: "delivery",
    listedBy: "deliveries list",
    hint: "Add a route for results: muster routes create --help",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listDeliveries({ limit }),
        ({ id }) => ({ id, name: "" }),
      ),
  },
  hook: {
    what: "webhook subscription",
    listedBy: "hooks list",
    hint: "Create one: muster hooks create --help",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listWebhookSubscriptions({ limit }),
        ({ id, target_url: name }) => ({ id, name }),
      ),
  },
  file: {
    what: "file",
    listedBy: "files list",
    hint: "Upload one: muster files upload report.pdf",
    list: (muster, size) => named(size, (limit) => muster.listFiles({ limit }), byName),
  },
  base: {
    what: "knowledge base",
    listedBy: "knowledge bases",
    hint: "Create one: muster knowledge create --name Handbook",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listKnowledgeBases({ limit }),
        ({ id, name, documents }) => ({ id, name, detail: `${documents} documents` }),
      ),
  },
  document: {
    what: "document",
    listedBy: "knowledge list",
    hint: "Add one: muster knowledge add handbook.pdf",
    list: (muster, size) => named(size, (limit) => muster.listDocuments({ limit }), byName),
  },
  budget: {
    what: "budget",
    listedBy: "budgets list",
    hint: "Create one: muster budgets set workspace --usd 10",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listBudgets({ limit }),
        ({ id, target_name: name }) => ({ id, name: name ?? "" }),
      ),
  },
  "remote agent": {
    what: "remote agent",
    listedBy: "remote-agents list",
    hint: "Register one: muster remote-agents add <url>",
    list: (muster, size) => named(size, (limit) => muster.listRemoteAgents({ limit }), byName),
  },
  tool: {
    what: "tool",
    listedBy: "tools list",
    hint: "Create one: muster tools create tool.json",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listTools({ limit }),
        ({ id, name, url }) => ({ id, name, detail: url }),
      ),
  },
  "MCP server": {
    what: "MCP server",
    listedBy: "mcp-servers list",
    hint: "Register one: muster mcp-servers add --name <name> <url>",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listMcpServers({ limit }),
        ({ id, name, url }) => ({ id, name, detail: url }),
      ),
  },
  listing: {
    what: "marketplace agent",
    listedBy: "marketplace list",
    hint: "Set is_marketplace on an agent to list it.",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listMarketplaceAgents({ limit }),
        ({ id, name, publisher }) => ({ id, name, detail: publisher }),
      ),
  },
  key: {
    what: "key",
    listedBy: "keys list",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listKeys({ limit }),
        ({ id, label }) => ({ id, name: label }),
      ),
  },
  member: {
    what: "member",
    listedBy: "members list",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listMembers({ limit }),
        ({ user_id: id, email }) => ({ id, name: email }),
      ),
  },
  "service account": {
    what: "service account",
    listedBy: "service-accounts list",
    hint: "Create one: muster service-accounts create --name Deploys",
    list: (muster, size) =>
      named(
        size,
        (limit) => muster.listServiceAccounts({ limit }),
        ({ id, name, role }) => ({ id, name, detail: role }),
      ),
  },
  app: {
    what: "app",
    listedBy: "apps list",
    list: async (muster, size) =>
      (await muster.listApps()).slice(0, size).map(({ id, name, person }) => ({ id, name, detail: person })),
  },
} as const satisfies Record<string, RecordKind>;

/** One of {@link RECORD_KINDS}. */
export type RecordKindName = keyof typeof RECORD_KINDS;

/** Returns the kind of this name. */
export function recordKind(name: RecordKindName): RecordKind {
  return RECORD_KINDS[name];
}

/**
 * Returns the note for an empty list of a kind: none matches the filter, or there are none yet and how to create the first.
 * @param filter an option that restricts the list, if any was given
 */
export function noneYet(kind: RecordKindName, filter?: string): string {
  const { what, hint } = recordKind(kind);
  if (filter !== undefined) return `No ${what} matches.`;
  return hint === undefined ? `No ${plural(what)}.` : `No ${plural(what)} yet. ${hint}`;
}

/** Returns the newest records of a kind with their names. */
export function listNamed(muster: MusterClient, kind: RecordKindName, size = MAX_SEARCHED): Promise<readonly Named[]> {
  return RECORD_KINDS[kind].list(muster, size);
}
