import { PLANS } from "#domain/access/plan.ts";
import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { formatTime } from "../terminal/format.ts";
import { createOutput } from "../terminal/output.ts";

const { json } = CONNECTION;

const list = defineCommand({
  summary: "List all workspaces of the instance and their plans; needs access to the database",
  args: { json },
  async run(args) {
    const { listWorkspaces } = await import("../../service/operator.ts");
    const workspaces = await listWorkspaces();
    const out = createOutput(process.stdout, process.stderr);
    if (args.json) out.json(workspaces);
    else
      out.table(
        ["SLUG", "NAME", "PLAN", "SINCE", "ID"],
        workspaces.map(({ slug, name, plan, created_at, id }) => [slug, name, plan, formatTime(created_at), id]),
      );
    return EXIT.ok;
  },
});

const setPlan = defineCommand({
  summary: "Set the plan of a workspace; its limits apply immediately. Needs access to the database",
  examples: ["workspaces set-plan acme team"],
  args: {
    slug: { type: "positional", description: "Slug or id, as in the list" },
    plan: { type: "positional", options: PLANS, description: "Plan" },
    json,
  },
  async run(args) {
    const { setPlan } = await import("../../service/operator.ts");
    const workspace = await setPlan(args.slug, args.plan);
    const out = createOutput(process.stdout, process.stderr);
    if (args.json) out.json(workspace);
    else out.line(`${workspace.slug} is on the plan ${workspace.plan}.`);
    return EXIT.ok;
  },
});

/** `muster workspaces …` */
export default defineGroup("Manage the plans of all workspaces", { list, "set-plan": setPlan });
