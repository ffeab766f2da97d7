import { join } from "node:path";

/** What the bundler knows about modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const SOURCE = join(import.meta.dirname, "src");
/** Modules that so many screens share are one file. */
const MIN_SCREENS = 8;
/** A smaller module, in bytes of its source, costs more as a file of its own than in one that is loaded anyway. */
const SMALL_MODULE = 700;

/**
 * How modules are divided into files. The browser requests each file separately, and by default every set of modules
 * that the same pages share would be a file of its own: fifty of them for the list of runs. Pages without the shell,
 * which are for phones, load nothing of it; the list of runs, which is opened most, loads nothing of other screens.
 */
export const chunkGroups = [
  { name: namedBy((of) => (of.main ? "main" : of.signIn ? "account" : null)), priority: 3 },
  { name: namedBy((of) => (!of.shell ? null : of.answer ? "session" : "shell")), priority: 2 },
  { name: namedBy(widelyShared), minShareCount: MIN_SCREENS, priority: 1 },
  { name: namedBy(() => "screens"), minShareCount: MIN_SCREENS },
  // What the page of a question shares with the screens that show questions: one file instead of seven.
  { name: namedBy((of) => (of.answer && !of.runs && !of.shell ? "answering" : null)), minShareCount: 2 },
  {
    name: namedBy((of) => (of.answer ? "common" : of.runs ? "lists" : "screens")),
    minShareCount: 2,
    maxModuleSize: SMALL_MODULE,
  },
];

/** Which pages can't be shown without a module. */
type Pages = Readonly<Record<"main" | "signIn" | "answer" | "shell" | "runs", boolean>>;

function widelyShared({ answer, runs }: Pages): string | null {
  if (answer) return runs ? "common" : "forms";
  return runs ? "lists" : null;
}

function namedBy(name: (of: Pages) => string | null) {
  let modules: Readonly<Record<keyof Pages, ReadonlySet<string>>> | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    const { main, signIn, answer, shell, runs } = (modules ??= {
      main: modulesOf("main.tsx", graph),
      signIn: modulesOf("routes/sign-in.tsx", graph),
      answer: modulesOf("routes/answer.tsx", graph),
      shell: modulesOf("routes/shell.tsx", graph),
      runs: modulesOf("routes/runs.tsx", graph),
    });
    return name({
      main: main.has(id),
      signIn: signIn.has(id),
      answer: answer.has(id),
      shell: shell.has(id),
      runs: runs.has(id),
    });
  };
}

/** A module and all that it imports, directly or not. */
function modulesOf(path: string, graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set([join(SOURCE, path)]);
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
