import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** What the bundler knows about modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const SOURCE = join(import.meta.dirname, "src");
/** The screens of one subject. What they alone share is loaded with them, and with no other screen. */
const SUBJECTS = [
  ["agents", "agent", "agent-new"],
  ["teams", "team"],
  ["destinations", "destination"],
  ["schedules", "schedule", "triggers", "trigger"],
  ["usage", "home"],
] as const;
/** A larger module, in bytes of its source, is loaded by the screens that need it. */
const LARGE_MODULE = 20_000;

/**
 * How modules are divided into files. The browser requests each file separately, and by default every set of modules
 * that the same pages share would be a file of its own: fifty of them for the list of runs. Pages without the shell,
 * which are for phones, load nothing of it; the list of runs, which is opened most, loads nothing of other screens. The
 * first of these loads what they share, in one file, but for what only the screens of one subject do.
 */
export const chunkGroups = [
  { name: namedBy((of) => (of.main ? "main" : of.signIn ? "account" : null)), priority: 4 },
  { name: namedBy((of) => (!of.shell ? null : of.answer ? "session" : "shell")), priority: 3 },
  {
    name: namedBy((of) => (!of.runs ? null : of.answer ? "common" : "lists")),
    minShareCount: 2,
    maxModuleSize: LARGE_MODULE,
    priority: 2,
  },
  { name: namedBy((of) => (of.answer && !of.runs ? "answering" : null)), minShareCount: 2, priority: 2 },
  {
    name: namedBy(({ subject }) => (subject === undefined ? "screens" : null)),
    minShareCount: 2,
    maxModuleSize: LARGE_MODULE,
    priority: 1,
  },
  { name: namedBy(({ subject }) => (subject === undefined ? null : `of-${subject}`)), minShareCount: 2 },
];

/** Which pages can't be shown without a module, and the subject that alone needs it. */
interface Need extends Readonly<Record<"main" | "signIn" | "answer" | "shell" | "runs", boolean>> {
  readonly subject: string | undefined;
}

function namedBy(name: (of: Need) => string | null) {
  let pages: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    pages ??= new Map(
      ["main.tsx", ...readdirSync(join(SOURCE, "routes"))].map((file) => [
        basename(file, ".tsx"),
        modulesOf(file === "main.tsx" ? file : `routes/${file}`, graph),
      ]),
    );
    const needing = new Set([...pages].flatMap(([page, modules]) => (modules.has(id) ? [page] : [])));
    return name({
      main: needing.has("main"),
      signIn: needing.has("sign-in"),
      answer: needing.has("answer"),
      shell: needing.has("shell"),
      runs: needing.has("runs"),
      subject: SUBJECTS.find(
        (screens) => needing.size > 0 && [...needing].every((page) => isOneOf(page, screens)),
      )?.[0],
    });
  };
}

function isOneOf(page: string, screens: readonly string[]): boolean {
  return screens.includes(page);
}

/** A module and all that it imports, directly or not. */
function modulesOf(path: string, graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set([join(SOURCE, path)]);
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
