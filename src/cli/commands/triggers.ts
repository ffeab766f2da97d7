import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { TEMPLATE, templateFields } from "../arguments/task-template.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines, tableLines } from "../terminal/table.ts";
import { createTriggersApi } from "../service/triggers-api.ts";

const list = defineCommand({
  summary: "List triggers, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createTriggersApi(client).list(limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ id, name, token_prefix, has_secret, is_active }) => [
        id,
        name,
        `${token_prefix}…`,
        has_secret ? "yes" : "no",
        is_active ? "active" : "paused",
      ]);
      tableLines(["ID", "NAME", "TOKEN", "SIGNED", "STATE"], rows).forEach((line) => out.line(line));
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
    const { api, client, out } = openSession(args);
    const template = await templateFields(api, args);
    const made = await createTriggersApi(client).create({ name: args.name, secret: args.secret, ...template });
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
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const trigger = await createTriggersApi(client).get(args.id);
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
      agent: trigger.assigned_agent_id,
      team: trigger.assigned_team_id,
      title: trigger.title,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});

const pause = defineCommand({
  summary: "Pause a trigger",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const trigger = await createTriggersApi(client).update(args.id, { is_active: false });
    if (args.json) out.json(trigger);
    else out.line(`Paused trigger ${safeText(trigger.name)} (${trigger.id})`);
    return EXIT.ok;
  },
});

const resume = defineCommand({
  summary: "Resume a trigger",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const trigger = await createTriggersApi(client).update(args.id, { is_active: true });
    if (args.json) out.json(trigger);
    else out.line(`Resumed trigger ${safeText(trigger.name)} (${trigger.id})`);
    return EXIT.ok;
  },
});

const rotate = defineCommand({
  summary: "Replace the URL of a trigger; the old one stops working",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const shown = await createTriggersApi(client).rotate(args.id);
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
  args: { id: { type: "positional", description: "Its id" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createTriggersApi(client).log(args.id, limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ created_at, outcome, bytes, delivery_key, task_id, reason }) => [
        formatTime(created_at),
        outcome,
        String(bytes),
        delivery_key ?? "",
        task_id ?? reason ?? "",
      ]);
      tableLines(["TIME", "OUTCOME", "BYTES", "DELIVERY", "TASK OR REASON"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const remove = defineCommand({
  summary: "Delete a trigger and its log; its tasks stay",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    await createTriggersApi(client).remove(args.id);
    if (args.json) out.json({ id: args.id, deleted: true });
    else out.line(`Deleted trigger ${args.id}`);
    return EXIT.ok;
  },
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
