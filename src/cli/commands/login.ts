import { hostname } from "node:os";
import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { connect } from "../service/connect.ts";
import { readProfiles, saveProfiles } from "../service/profiles.ts";
import { checkedUrl, loginSettings, profilesFile } from "../service/settings.ts";
import { readSecret } from "../terminal/input.ts";
import { createOutput } from "../terminal/output.ts";
import type { Output } from "../terminal/output.ts";
import { askText, isInteractive } from "../terminal/prompt.ts";
import { safeText } from "../terminal/safe-text.ts";

const SHOWN_KEY =
  "The key on the command line is now in your shell's history, and other users of this machine may have seen it. " +
  "Without --key, muster login asks for it, or reads it from standard input.";

/** `muster login` */
export default defineCommand({
  summary: "Store the URL and the API key of a service in a profile",
  examples: ["login", "login --profile work --url https://muster.example.org", "login < key.txt"],
  args: CONNECTION,
  async run(args) {
    const out = createOutput(process.stdout, process.stderr);
    const known = loginSettings(args);
    const url = checkedUrl(args.url || !isInteractive() ? known.url : await askUrl(known.url));
    if (args.key !== undefined) out.note(SHOWN_KEY, "yellow");
    const key = args.key ?? (await readKey(out, url));
    const me = await connect({ url, apiKey: key, profile: known.profile }).getIdentity();
    const file = profilesFile();
    const { profiles } = readProfiles(file);
    saveProfiles(file, { current: known.profile, profiles: { ...profiles, [known.profile]: { url, key } } });
    if (args.json) out.json({ profile: known.profile, url, workspace_name: me.workspace_name });
    else out.line(`Logged in to ${url}, workspace ${safeText(me.workspace_name)} (profile ${known.profile})`);
    return EXIT.ok;
  },
});

async function readKey(out: Output, url: string): Promise<string> {
  const how = `Create a key on ${nameOf(url)}: muster keys create`;
  if (isInteractive()) out.note(how, "dim");
  const key = await readSecret("API key (mst_…)");
  if (key === "")
    throw new CliError(EXIT.usage, `No key given. Type it on a terminal, pipe it in, or use --key.\n${how}`);
  return key;
}

/** The known URL is shown as a placeholder, not as input: most people paste another one. */
function askUrl(known: string): Promise<string> {
  return askText({
    message: "URL of the service",
    placeholder: known,
    defaultValue: known,
    validate: (given) => (URL.canParse(given) ? undefined : "Type a URL such as http://127.0.0.1:4400."),
  });
}

function nameOf(url: string): string {
  const { hostname: name } = new URL(url);
  return ["127.0.0.1", "localhost", hostname()].includes(name) ? "this machine" : name;
}
