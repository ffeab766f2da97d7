import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { nameAndId } from "../service/name-and-id.ts";
import { openSession } from "../service/session.ts";
import { TEMPLATE, templateFields } from "../arguments/task-template.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";

const list = defineCommand({
  summary: "List triggers, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listTriggers({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("trigger"));
    else {
      const rows = items.map(({ id, name, token_prefix, has_secret, is_active }) => [
        id,
        name,
        `${token_prefix}…`,
        has_secret ? "yes" : "no",
        is_active ? "active" : "paused",
      ]);
      out.table(["ID", "NAME", "TOKEN", "SIGNED", "STATE"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Create a trigger and print its URL once",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    secret: { type: "string", description: "With it, deliveries must be signed" },
    ...TEMPLATE,
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const template = await templateFields(muster, args);
    const made = await muster.createTrigger({ name: args.name, secret: args.secret, ...template });
    if (args.json) out.json(made);
    else {
      out.line(made.url);
      out.note(
        `Created trigger ${safeText(made.name)} (${made.id}). Copy the URL now; it won't be shown again.`,
        "dim",
      );
    }
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show a trigger",
  args: { id: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const trigger = await muster.getTrigger({ id: await resolveId(muster, "trigger", args.id) });
    if (args.json) {
      out.json(trigger);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: trigger.id,
      name: trigger.name,
      token: `${trigger.token_prefix}…`,
      signed: trigger.has_secret ? "yes" : "no",
      state: trigger.is_active ? "active" : "paused",
      agent: await nameAndId(trigger.assigned_agent_id, muster.getAgent),
      team: await nameAndId(trigger.assigned_team_id, muster.getTeam),
      title: trigger.title,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});

const pause = defineCommand({
  summary: "Pause a trigger",
  args: { id: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const trigger = await muster.updateTrigger(
      { id: await resolveId(muster, "trigger", args.id) },
      {
        is_active: false,
      },
    );
    if (args.json) out.json(trigger);
    else out.line(`Paused trigger ${safeText(trigger.name)} (${trigger.id})`);
    return EXIT.ok;
  },
});

const resume = defineCommand({
  summary: "Resume a trigger",
  args: { id: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const trigger = await muster.updateTrigger(
      { id: await resolveId(muster, "trigger", args.id) },
      {
        is_active: true,
      },
    );
    if (args.json) out.json(trigger);
    else out.line(`Resumed trigger ${safeText(trigger.name)} (${trigger.id})`);
    return EXIT.ok;
  },
});

const rotate = defineCommand({
  summary: "Replace the URL of a trigger; the old one stops working",
  args: { id: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const shown = await muster.rotateTrigger({ id: await resolveId(muster, "trigger", args.id) });
    if (args.json) out.json(shown);
    else {
      out.line(shown.url);
      out.note(`New URL of trigger ${safeText(shown.name)}. Copy it now; it won't be shown again.`, "dim");
    }
    return EXIT.ok;
  },
});

const log = defineCommand({
  summary: "List requests received by a trigger, newest first",
  args: { id: { type: "positional", description: "Id or name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "trigger", args.id);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listTriggerDeliveries({ id, limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0)
      out.note("No requests yet. Send one to the URL that was shown when the trigger was created.");
    else {
      const rows = items.map(({ created_at, outcome, bytes, delivery_key, task_id, reason }) => [
        formatTime(created_at),
        outcome,
        String(bytes),
        delivery_key ?? "",
        task_id ?? reason ?? "",
      ]);
      out.table(["TIME", "OUTCOME", "BYTES", "DELIVERY", "TASK OR REASON"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "trigger",
  effect: "Its log is deleted too; its tasks stay.",
  remove: (muster, id) => muster.deleteTrigger({ id }),
});

/** `muster triggers …` */
export default defineGroup("Manage webhook triggers", {
  list,
  create,
  get,
  pause,
  resume,
  rotate,
  log,
  delete: remove,
});
