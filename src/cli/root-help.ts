import type { AddHelpTextContext } from "commander";

type Item = readonly [term: string, description: string];

const EXAMPLES = `Examples:
  $ muster login
  $ muster agents create --name Writer --model demo
  $ muster tasks create --agent Writer --title "Say hello" --watch`;

const VARIABLES: readonly Item[] = [
  ["MUSTER_URL", "URL of the service (default: http://127.0.0.1:4400)"],
  ["MUSTER_API_KEY", "API key, mst_…"],
  ["MUSTER_PROFILE", 'Profile of "muster login"'],
  ["NO_COLOR", "Disable colours"],
];

const EXIT_CODES: readonly Item[] = [
  ["0", "Success"],
  ["1", "The task failed, or the service rejected the request"],
  ["2", "Wrong usage"],
  ["3", "Service not reachable"],
  ["4", "Key missing or rejected"],
  ["5", "migrate --dry-run: the schema would change"],
  ["130", "Stopped watching"],
];

/** Returns the end of `muster --help`, wrapped like the rest; the examples are commands to copy and stay on their lines. */
export function rootHelp({ command, error }: AddHelpTextContext): string {
  const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput();
  const width = (error ? getErrHelpWidth?.() : getOutHelpWidth?.()) ?? 80;
  const help = command.createHelp();
  help.prepareContext({ error, helpWidth: width });
  const items = (list: readonly Item[]) => {
    const termWidth = Math.max(...list.map(([term]) => term.length));
    return list.map(([term, description]) => help.formatItem(term, termWidth, description, help)).join("\n");
  };
  const title = help.boxWrap("Environment variables (they override the profile; options override both):", width);
  const more = "Help on a command:\n  muster <command> --help";
  return ["", EXAMPLES, "", title, items(VARIABLES), "", "Exit codes:", items(EXIT_CODES), "", more].join("\n");
}
