import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { nameAndId } from "../service/name-and-id.ts";
import { TEMPLATE, templateFields } from "../arguments/task-template.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const ID = { id: { type: "positional", description: "Id or name" } } as const;

const list = defineList({
  summary: "List triggers, newest first",
  args: {},
  read: (muster, { limit }) => muster.listTriggers({ limit }),
  none: () => noneYet("trigger"),
  row: ({ id, name, token_prefix, has_secret, is_active }) => ({
    ID: id,
    NAME: name,
    TOKEN: `${token_prefix}…`,
    SIGNED: has_secret ? "yes" : "no",
    STATE: is_active ? "active" : "paused",
  }),
});

const create = defineRequest({
  summary: "Create a trigger and print its URL once",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    secret: { type: "string", description: "With it, deliveries must be signed" },
    ...TEMPLATE,
  },
  send: async ({ muster }, args) =>
    muster.createTrigger({ name: args.name, secret: args.secret, ...(await templateFields(muster, args)) }),
  print({ out }, { name, id, url }) {
    out.line(url);
    out.note(`Created trigger ${safeText(name)} (${id}). Copy the URL now; it won't be shown again.`, "dim");
  },
});

const get = defineRequest({
  summary: "Show a trigger",
  args: ID,
  send: async ({ muster }, { id }) => muster.getTrigger({ id: await resolveId(muster, "trigger", id) }),
  print: async ({ muster, out }, trigger) =>
    out.fields({
      id: trigger.id,
      name: trigger.name,
      token: `${trigger.token_prefix}…`,
      signed: trigger.has_secret ? "yes" : "no",
      state: trigger.is_active ? "active" : "paused",
      agent: await nameAndId(trigger.assigned_agent_id, muster.getAgent),
      team: await nameAndId(trigger.assigned_team_id, muster.getTeam),
      title: trigger.title,
    }),
});

const pause = defineRequest({
  summary: "Pause a trigger",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateTrigger({ id: await resolveId(muster, "trigger", id) }, { is_active: false }),
  print: ({ out }, { name, id }) => out.line(`Paused trigger ${safeText(name)} (${id})`),
});

const resume = defineRequest({
  summary: "Resume a trigger",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateTrigger({ id: await resolveId(muster, "trigger", id) }, { is_active: true }),
  print: ({ out }, { name, id }) => out.line(`Resumed trigger ${safeText(name)} (${id})`),
});

const rotate = defineRequest({
  summary: "Replace the URL of a trigger; the old one stops working",
  args: ID,
  send: async ({ muster }, { id }) => muster.rotateTrigger({ id: await resolveId(muster, "trigger", id) }),
  print({ out }, { name, url }) {
    out.line(url);
    out.note(`New URL of trigger ${safeText(name)}. Copy it now; it won't be shown again.`, "dim");
  },
});

const log = defineList({
  summary: "List requests received by a trigger, newest first",
  args: ID,
  read: async (muster, { id, limit }) =>
    muster.listTriggerDeliveries({ id: await resolveId(muster, "trigger", id), limit }),
  none: () => "No requests yet. Send one to the URL that was shown when the trigger was created.",
  row: ({ created_at, outcome, bytes, delivery_key, task_id, reason }) => ({
    TIME: formatTime(created_at),
    OUTCOME: outcome,
    BYTES: bytes,
    DELIVERY: delivery_key,
    "TASK OR REASON": task_id ?? reason,
  }),
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
