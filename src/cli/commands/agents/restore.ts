import { CONNECTION, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createVersionsApi } from "../../versions-api.ts";

export default defineCommand({
  summary: "Make an agent what it was in a version; that is a new version.",
  args: {
    agent: { type: "positional", description: "Its id or exact name" },
    version: { type: "positional", description: "The version" },
    ...CONNECTION,
  },
  async run(args) {
    const version = parseCount("version", args.version);
    const { api, client, out } = openSession(args);
    const agent = await createVersionsApi(client).restore(await resolveAgent(api, args.agent), version);
    if (args.json) out.json(agent);
    else out.line(`Agent ${safeText(agent.name)} (${agent.id}) is what it was in version ${version}`);
    return EXIT.ok;
  },
});
