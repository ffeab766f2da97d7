import { defineGroup } from "../arguments/define-command.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { MARKETPLACE_SORTS } from "#domain/agents/marketplace.ts";

const list = defineList({
  summary: "List marketplace agents",
  args: {
    search: { type: "string", valueHint: "text", description: "Text in name or description" },
    tag: { type: "string", description: "Marketplace tag" },
    sort: { type: "enum", options: [...MARKETPLACE_SORTS], default: "newest", description: "Order" },
  },
  read: (muster, { search, tag, sort, limit }) => muster.listMarketplaceAgents({ q: search, tag, sort, limit }),
  none: ({ search, tag }) => noneYet("listing", search ?? tag),
  row: ({ id, name, model, publisher, install_count }) => ({
    ID: id,
    NAME: name,
    MODEL: model,
    PUBLISHER: publisher,
    INSTALLS: install_count,
  }),
});

const install = defineRequest({
  summary: "Install a marketplace agent into your workspace",
  args: { agent: { type: "positional", description: "Id or name in the marketplace" } },
  send: async ({ muster }, { agent }) =>
    muster.installMarketplaceAgent({ id: await resolveId(muster, "listing", agent) }),
  print: ({ out }, { agent_id, install_count, held_tools, needs_review, warnings }) => {
    out.line(`Installed as agent ${agent_id}; workspaces that installed it: ${install_count}`);
    if (needs_review) out.line(`Read its prompt and tools, then let it work: muster agents confirm ${agent_id}`);
    if (held_tools.length > 0)
      out.line(`It does not have these tools; add those that you allow: ${held_tools.join(", ")}`);
    for (const warning of warnings) out.line(`Warning: ${warning}`);
  },
});

/** `muster marketplace …` */
export default defineGroup("Browse and install marketplace agents", { list, install });
