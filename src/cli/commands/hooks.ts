import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { WEBHOOK_EVENTS } from "#domain/destinations/webhook.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";

const ID = { id: { type: "positional", description: "Id or name" } } as const;
const SHOWN_ONCE = "Copy the secret now; it won't be shown again.";

const list = defineCommand({
  summary: "List active webhook subscriptions, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listWebhookSubscriptions({ limit: size }));
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ id, event, target_url }) => [id, event, target_url]);
      out.table(["ID", "EVENT", "URL"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Subscribe a URL to an event",
  args: {
    target: { type: "string", required: true, valueHint: "url", description: "Where to deliver, https" },
    event: { type: "enum", options: [...WEBHOOK_EVENTS], required: true, description: "What to deliver" },
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

const remove = defineDeletion({
  kind: "hook",
  effect: "Nothing more is sent to its URL.",
  remove: (muster, id) => muster.deleteWebhookSubscription({ id }),
});

/** `muster hooks …` */
export default defineGroup("Manage webhook subscriptions", { list, create, rotate, delete: remove });
