import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { readProfiles, saveProfiles } from "../service/profiles.ts";
import { profilesFile } from "../service/settings.ts";
import { createOutput } from "../terminal/output.ts";

/** `muster logout` */
export default defineCommand({
  summary: "Delete a profile and its key from this machine; the key stays valid",
  args: { profile: CONNECTION.profile, json: CONNECTION.json },
  run(args) {
    const file = profilesFile();
    const { current, profiles } = readProfiles(file);
    const profile = args.profile ?? current;
    if (profiles[profile] === undefined) throw new UsageError(`No profile is called "${profile}".`);
    const { [profile]: _, ...rest } = profiles;
    saveProfiles(file, {
      current: profile === current ? (Object.keys(rest)[0] ?? "default") : current,
      profiles: rest,
    });
    const out = createOutput(process.stdout, process.stderr);
    if (args.json) out.json({ profile, deleted: true });
    else out.line(`Logged out of profile ${profile}`);
    return Promise.resolve(EXIT.ok);
  },
});
