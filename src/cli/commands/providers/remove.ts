import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Forget a model vendor's key and address.",
  args: { provider: { type: "positional", description: "The vendor" }, ...CONNECTION },
  async run(args) {
    const { provider } = args;
    const { api, out } = openSession(args);
    await api.deleteProviderKey(provider);
    if (args.json) out.json({ provider, deleted: true });
    else out.line(`Removed the key for ${provider}`);
    return EXIT.ok;
  },
});
