import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import type { Command } from "../arguments/define-command.ts";
import { WEBHOOK_EVENTS } from "#domain/destinations/webhook.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";

const ID = { id: { type: "positional", description: "Id or URL" } } as const;
const SHOWN_ONCE = "Copy the secret now; it won't be shown again.";

const list = defineCommand({
  summary: "List webhook subscriptions, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listWebhookSubscriptions({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("hook"));
    else {
      const rows = items.map(({ id, event, target_url, agent_id, team_id, is_active }) => [
        id,
        event,
        target_url,
        agent_id ?? team_id ?? "",
        is_active ? "active" : "paused",
      ]);
      out.table(["ID", "EVENT", "URL", "ONLY OF", "STATE"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Subscribe a URL to an event",
  args: {
    target: { type: "string", required: true, valueHint: "url", description: "URL to deliver to (https)" },
    event: { type: "enum", options: [...WEBHOOK_EVENTS], required: true, description: "Event to deliver" },
    agent: { type: "string", valueHint: "id or name", description: "Only for tasks of this agent" },
    team: { type: "string", valueHint: "id or name", description: "Only for runs of this team" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const hook = await muster.createWebhookSubscription({
      target_url: args.target,
      event: args.event,
      ...(args.agent !== undefined && { agent_id: await resolveId(muster, "agent", args.agent) }),
      ...(args.team !== undefined && { team_id: await resolveId(muster, "team", args.team) }),
    });
    if (args.json) out.json(hook);
    else {
      out.line(hook.secret);
      out.note(`Created webhook subscription ${hook.id}. ${SHOWN_ONCE}`, "dim");
    }
    return EXIT.ok;
  },
});

const rotate = defineCommand({
  summary: "Replace the secret of a subscription; the old one stays valid for a day",
  args: { ...ID, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const hook = await muster.rotateWebhookSecret({ id: await resolveId(muster, "hook", args.id) });
    if (args.json) out.json(hook);
    else {
      out.line(hook.secret);
      out.note(SHOWN_ONCE, "dim");
    }
    return EXIT.ok;
  },
});

/** `muster hooks pause`, `muster hooks resume` */
function activation(summary: string, isActive: boolean): Command {
  return defineCommand({
    summary,
    args: { ...ID, ...CONNECTION },
    async run(args) {
      const { muster, out } = openSession(args);
      const hook = await muster.pauseWebhookSubscription(
        { id: await resolveId(muster, "hook", args.id) },
        { is_active: isActive },
      );
      if (args.json) out.json(hook);
      else out.line(`Webhook subscription ${hook.id} is ${isActive ? "active" : "paused"}`);
      return EXIT.ok;
    },
  });
}

const pause = activation("Stop delivering to a subscription; events during the pause are not delivered", false);

const resume = activation("Deliver to a subscription again", true);

const remove = defineDeletion({
  kind: "hook",
  effect: "Nothing more is sent to its URL.",
  remove: (muster, id) => muster.deleteWebhookSubscription({ id }),
});

/** `muster hooks …` */
export default defineGroup("Manage webhook subscriptions", { list, create, pause, resume, rotate, delete: remove });
