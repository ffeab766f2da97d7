import type { MusterClient, Schemas } from "#client/index.ts";
import { asBody } from "../arguments/as-body.ts";
import { defineGroup } from "../arguments/define-command.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";

const OWNER = {
  agent: { type: "string", description: "Of this agent (id or exact name); by default of the workspace" },
} as const;

const get = defineRequest({
  summary: "Show the rules on approvals of the workspace, or of an agent",
  args: OWNER,
  send: ({ muster }, { agent }): Promise<Rules> =>
    agent === undefined ? muster.getWorkspaceApprovals() : rulesOf(muster, agent),
  print: ({ out }, rules) => out.text(JSON.stringify(rules, null, 2)),
});

const set = defineRequest({
  summary: "Replace the rules on approvals of the workspace, or of an agent",
  examples: ["approvals set rules.json", "approvals set rules.json --agent Buyer"],
  args: {
    file: { type: "positional", description: 'JSON: {"approvals": […]}; - reads it from standard input' },
    ...OWNER,
  },
  async send({ muster, out }, { file, agent }): Promise<Rules> {
    const given = await readJsonObject(file, "the rules", out);
    if (agent === undefined) return muster.saveWorkspaceApprovals(asBody(given));
    const id = await resolveId(muster, "agent", agent);
    const { config } = await muster.getAgent({ id });
    return approvalsIn(await muster.updateAgent({ id }, asBody({ config: { ...config, ...given } })));
  },
  print({ out }, { approvals }) {
    const count = Array.isArray(approvals) ? approvals.length : 0;
    out.line(`${count === 1 ? "1 rule asks" : `${count} rules ask`} people from the next run on`);
  },
});

/** `muster approvals …` */
export default defineGroup("Manage rules on which calls of tools people approve", { get, set });

/** Rules as the service sends them. */
interface Rules {
  readonly approvals: unknown;
}

async function rulesOf(muster: MusterClient, agent: string): Promise<Rules> {
  return approvalsIn(await muster.getAgent({ id: await resolveId(muster, "agent", agent) }));
}

function approvalsIn({ config }: Schemas["Agent"]): Rules {
  return { approvals: config["approvals"] ?? [] };
}
