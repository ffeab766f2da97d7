import { hostname } from "node:os";
import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { connect } from "../service/connect.ts";
import { readProfiles, saveProfiles } from "../service/profiles.ts";
import { checkedUrl, loginSettings, profilesFile } from "../service/settings.ts";
import { readSecret } from "../terminal/input.ts";
import { createOutput } from "../terminal/output.ts";
import { askText, isInteractive } from "../terminal/prompt.ts";
import { safeText } from "../terminal/safe-text.ts";

/** `muster login` */
export default defineCommand({
  summary: "Store the URL and the API key of a service in a profile",
  examples: ["login", "login --profile work --url https://muster.example.org", "login --key mst_…"],
  args: CONNECTION,
  async run(args) {
    const out = createOutput(process.stdout, process.stderr);
    const known = loginSettings(args);
    const url = checkedUrl(args.url || !isInteractive() ? known.url : await askUrl(known.url));
    if (args.key === undefined) out.note(`Create a key on ${nameOf(url)}: muster keys create`, "dim");
    const key = args.key ?? (await readSecret("API key (mst_…)"));
    const me = await connect({ url, apiKey: key, profile: known.profile }).getIdentity();
    const file = profilesFile();
    const { profiles } = readProfiles(file);
    saveProfiles(file, { current: known.profile, profiles: { ...profiles, [known.profile]: { url, key } } });
    if (args.json) out.json({ profile: known.profile, url, workspace_name: me.workspace_name });
    else out.line(`Logged in to ${url}, workspace ${safeText(me.workspace_name)} (profile ${known.profile})`);
    return EXIT.ok;
  },
});

function askUrl(initialValue: string): Promise<string> {
  return askText({
    message: "URL of the service",
    initialValue,
    validate: (given) => (URL.canParse(given) ? undefined : "Type a URL such as http://127.0.0.1:4400."),
  });
}

function nameOf(url: string): string {
  const { hostname: name } = new URL(url);
  return ["127.0.0.1", "localhost", hostname()].includes(name) ? "this machine" : name;
}
