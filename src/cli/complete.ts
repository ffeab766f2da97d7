import type { Command as Commander } from "commander";
import { listNamed } from "./arguments/record-kinds.ts";
import type { RecordKindName } from "./arguments/record-kinds.ts";
import { connect } from "./service/connect.ts";
import { readSettings } from "./service/settings.ts";

/** A person waits at the keyboard. */
const TIMEOUT_MS = 2_000;
const MAX_NAMES = 200;
/** Characters that a word on a command line cannot contain. */
const CONTROLS = /\p{Cc}/u;

/** Kinds of records by the names of the options and positionals that take one. */
const BY_ARGUMENT: Readonly<Record<string, RecordKindName>> = {
  agent: "agent",
  team: "team",
  task: "task",
  question: "question",
  run: "run",
  route: "route",
  base: "base",
  document: "document",
  tool: "tool",
  server: "MCP server",
};

/** A command line whose last word is still being typed. */
interface Typed {
  readonly command: Commander;
  /** The words of the groups and the command. */
  readonly path: readonly string[];
  /** The number of complete positionals. */
  readonly positionals: number;
  readonly previous: string | undefined;
  readonly current: string;
}

/** A possible next word. */
interface Completion {
  readonly word: string;
  /** The description of a subcommand or an option; absent for values and names. */
  readonly description?: string;
}

/**
 * Returns the possible completions of the last word of a command line: subcommands, options, their allowed values, and
 * the names of the workspace's records.
 */
export async function completions(program: Commander, words: readonly string[]): Promise<readonly Completion[]> {
  const typed = parse(program, words);
  const { command, previous, current } = typed;
  const option = command.options.find(({ long }) => long !== undefined && long === previous);
  if (option !== undefined && !option.isBoolean()) {
    const kind = BY_ARGUMENT[option.attributeName()];
    return startingWith(asWords(option.argChoices ?? (kind === undefined ? [] : await namesOf(kind))), current);
  }
  if (current.startsWith("-")) return startingWith(optionsOf(command, program), current);
  const argument = command.registeredArguments[typed.positionals];
  const kind = argument === undefined ? undefined : kindOf(argument.name(), typed.path);
  const names = argument?.argChoices ?? (kind === undefined ? [] : await namesOf(kind));
  const subcommands = command.commands.map((each) => ({
    word: each.name(),
    description: each.summary() || each.description(),
  }));
  return startingWith([...subcommands, ...asWords(names)], current);
}

/** Returns the options of a command and the global ones, without duplicates. */
function optionsOf(command: Commander, program: Commander): readonly Completion[] {
  const options = [...command.options, ...program.options].flatMap(({ long, description, hidden }) =>
    long === undefined || long === null || hidden ? [] : [[long, description] as const],
  );
  const described = new Map([["--help", "Show this help"], ...options.toReversed()]);
  return [...described].map(([word, description]) => ({ word, description })).toReversed();
}

function asWords(words: readonly string[]): readonly Completion[] {
  return words.map((word) => ({ word }));
}

function parse(program: Commander, words: readonly string[]): Typed {
  const [typed, current] = [words.slice(0, -1), unquoted(words.at(-1) ?? "")];
  const path: string[] = [];
  let command = program;
  let positionals = 0;
  for (const [index, word] of typed.entries()) {
    const next = command.commands.find((each) => each.name() === word);
    const option = command.options.find(({ long }) => long === typed[index - 1]);
    if (next !== undefined) {
      command = next;
      path.push(word);
    } else if (!word.startsWith("-") && (option === undefined || option.isBoolean())) positionals++;
  }
  return { command, path, positionals, previous: typed.at(-1), current };
}

/** Returns the kind of records that a positional takes: by its name, else by the command's group. */
function kindOf(name: string, [group = "", command = ""]: readonly string[]): RecordKindName | undefined {
  if (group === "marketplace") return "listing";
  if (name !== "id") return BY_ARGUMENT[name];
  return BY_COMMAND[`${group} ${command}`] ?? BY_GROUP[group];
}

/** Commands that take another kind than their group. */
const BY_COMMAND: Readonly<Record<string, RecordKindName>> = { "questions revoke": "answer link" };

const BY_GROUP: Readonly<Record<string, RecordKindName>> = {
  agents: "agent",
  teams: "team",
  tasks: "task",
  questions: "question",
  runs: "run",
  schedules: "schedule",
  triggers: "trigger",
  pages: "page",
  files: "file",
  knowledge: "document",
  tools: "tool",
  "mcp-servers": "MCP server",
  "remote-agents": "remote agent",
  routes: "route",
  hooks: "hook",
  budgets: "budget",
  alerts: "alert",
  keys: "key",
  apps: "app",
  members: "member",
};

/** Returns the names of the newest records; none if the service does not respond. */
async function namesOf(kind: RecordKindName): Promise<readonly string[]> {
  try {
    const muster = connect(readSettings({}), { timeoutMs: TIMEOUT_MS });
    const names = (await listNamed(muster, kind, MAX_NAMES)).map(({ name }) => name);
    return [...new Set(names)].filter((name) => name !== "" && !CONTROLS.test(name));
  } catch {
    return [];
  }
}

/** Removes the quotes and backslashes that the shell leaves in a word. */
function unquoted(word: string): string {
  return word.replaceAll(/\\(.)/g, "$1").replace(/^["']/, "");
}

function startingWith(candidates: readonly Completion[], start: string): readonly Completion[] {
  return candidates.filter(({ word }) => word.startsWith(start));
}
