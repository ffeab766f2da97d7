import { join } from "node:path";

/** What the bundler knows about modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const SOURCE = join(import.meta.dirname, "src");
/** A larger module, in bytes of its source, is loaded by the screens that need it. */
const LARGE_MODULE = 20_000;

/**
 * How modules are divided into files. The browser requests each file separately, and by default every set of modules
 * that the same pages share would be a file of its own: fifty of them for the list of runs. Pages without the shell,
 * which are for phones, load nothing of it; the list of runs, which is opened most, loads nothing of other screens. The
 * first of these loads what they share, in one file.
 */
export const chunkGroups = [
  { name: namedBy((of) => (of.main ? "main" : of.signIn ? "account" : null)), priority: 3 },
  { name: namedBy((of) => (!of.shell ? null : of.answer ? "session" : "shell")), priority: 2 },
  {
    name: namedBy((of) => (!of.runs ? null : of.answer ? "common" : "lists")),
    minShareCount: 2,
    maxModuleSize: LARGE_MODULE,
    priority: 1,
  },
  { name: namedBy((of) => (of.answer && !of.runs ? "answering" : null)), minShareCount: 2, priority: 1 },
  { name: namedBy(() => "screens"), minShareCount: 2, maxModuleSize: LARGE_MODULE },
];

/** Which pages can't be shown without a module. */
type Pages = Readonly<Record<"main" | "signIn" | "answer" | "shell" | "runs", boolean>>;

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
