import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { MARKETPLACE_SORTS } from "#domain/agents/marketplace.ts";

const list = defineCommand({
  summary: "List marketplace agents",
  args: {
    search: { type: "string", valueHint: "text", description: "Text in name or description" },
    tag: { type: "string", description: "Marketplace tag" },
    sort: { type: "enum", options: [...MARKETPLACE_SORTS], default: "newest", description: "Order" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { search, tag, sort } = args;
    const { muster, out } = openSession(args);
    const filter = { sort, ...(search !== undefined && { q: search }), ...(tag !== undefined && { tag }) };
    const { items, hasMore } = await listUpTo(limit, (size) =>
      muster.listMarketplaceAgents({ ...filter, limit: size }),
    );
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No agents listed. Set is_marketplace on an agent to list it.");
    else {
      const rows = items.map((item) => [item.id, item.name, item.model, item.publisher, String(item.install_count)]);
      out.table(["ID", "NAME", "MODEL", "PUBLISHER", "INSTALLS"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const install = defineCommand({
  summary: "Install a marketplace agent into your workspace",
  args: { agent: { type: "positional", description: "Id or name in the marketplace" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const installed = await muster.installMarketplaceAgent({ id: await resolveId(muster, "listing", args.agent) });
    if (args.json) out.json(installed);
    else out.line(`Installed as agent ${installed.agent_id}; workspaces that installed it: ${installed.install_count}`);
    return EXIT.ok;
  },
});

/** `muster marketplace …` */
export default defineGroup("Browse and install marketplace agents", { list, install });
