import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { listUpTo } from "../service/list-up-to.ts";
import type { Listed } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { formatCost, formatTokens } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const OPEN = ["running", "dispatched", "waiting_for_input", "pending"] as const;
/** The maximum count of the tasks in one state. */
const MAX_COUNTED = 200;

/** `muster status` */
export default defineCommand({
  summary: "Show the service, your workspace, open tasks and today's cost",
  args: CONNECTION,
  async run(args) {
    const { muster, out, settings } = openSession(args);
    const version = await muster.getVersion();
    const me = await muster.getIdentity();
    const [usage, ...lists] = await Promise.all([
      muster.getUsage({ from: new Date().toISOString().slice(0, 10) }),
      ...OPEN.map((status) => listUpTo(MAX_COUNTED, (limit) => muster.listTasks({ status, limit }))),
    ]);
    const counts = OPEN.map((status, index) => ({ status, ...counted(lists[index]) }));
    if (args.json) {
      const tasks = Object.fromEntries(counts.map(({ status, count }) => [status, count]));
      out.json({
        url: settings.url,
        version: version.version,
        workspace: me.workspace_name,
        tasks,
        today: usage.total,
      });
      return EXIT.ok;
    }
    const open = counts.flatMap(({ status, count, more }) =>
      count === 0 ? [] : [`${count}${more ? "+" : ""} ${status.replaceAll("_", " ")}`],
    );
    out.fields({
      service: `${settings.url} (Muster ${safeText(version.version)})`,
      profile: settings.profile,
      workspace: `${me.workspace_name} (plan ${me.plan})`,
      user: me.email,
      tasks: open.length === 0 ? "none open" : open.join(", "),
      today: `${formatTokens(usage.total.total_tokens)} tokens, ${formatCost(usage.total.cost_usd)}`,
    });
    return EXIT.ok;
  },
});

function counted(list: Listed<unknown> | undefined) {
  return { count: list?.items.length ?? 0, more: list?.hasMore ?? false };
}
