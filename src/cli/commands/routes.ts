import { z } from "zod";
import type { MusterClient } from "#client/index.ts";
import { ROUTE_EVENTS } from "#domain/destinations/payload.ts";
import { parseList } from "../arguments/arguments.ts";
import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { asBody } from "../arguments/as-body.ts";
import { safeText } from "../terminal/safe-text.ts";

/** The shown part of a configuration's JSON Schema. */
const configFields = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

const ID = { id: { type: "positional", description: "Id or name" } } as const;

const types = defineRequest({
  summary: "List the types of destinations with the fields of their configuration",
  args: {},
  send: ({ muster }) => muster.listRouteTypes(),
  print({ out }, found) {
    const rows = found.map(({ type, title, config_schema }) => {
      const { properties, required } = configFields.parse(config_schema);
      const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `[${name}]`));
      return [type, title, names.join(", ")];
    });
    out.table(["TYPE", "TITLE", "CONFIG ([optional])"], rows);
  },
});

const list = defineList({
  summary: "List output routes, newest first",
  args: {},
  read: (muster, { limit }) => muster.listRoutes({ limit }),
  none: () => noneYet("route"),
  row: ({ id, name, kind, type, events, is_active, health }) => ({
    ID: id,
    NAME: name,
    KIND: kind,
    TYPE: type,
    EVENTS: eventsOf(events),
    STATE: is_active ? health : "paused",
  }),
});

const get = defineRequest({
  summary: "Show an output route; secrets are masked",
  args: ID,
  send: async ({ muster }, { id }) => muster.getRoute({ id: await resolveId(muster, "route", id) }),
  print({ out }, { id, name, kind, type, events, is_active, health, failures_in_row, config, ...route }) {
    const state = is_active ? `${health} (${failures_in_row} failures in a row)` : "paused";
    const allowed = route.allowed_user_ids.join(", ");
    out.fields({
      id,
      name,
      kind,
      type,
      ...(kind !== "agent" && { events: eventsOf(events) }),
      ...(kind === "agent" && { agent: route.agent_id ?? "deleted", "per minute": String(route.messages_per_minute) }),
      ...(kind !== "results" && { allowed: allowed === "" ? "everybody" : allowed }),
      state,
      config: JSON.stringify(config),
    });
  },
});

/** What a route may have, whatever its type. */
const FIELDS = {
  events: { type: "string", description: "Events, separated by commas (default: those of its kind)" },
  allow: { type: "string", description: "The vendor's ids of who may answer or talk (none: everybody)" },
  agent: { type: "string", description: "Kind agent: the id or name of the agent" },
  "per-minute": { type: "string", description: "Kind agent: messages a minute of one person (default: 10)" },
} as const;

type Fields = Readonly<Partial<Record<keyof typeof FIELDS, string>>>;

async function fieldsOf(muster: MusterClient, { events, allow, agent, "per-minute": perMinute }: Fields) {
  return {
    events: parseList(events),
    allowed_user_ids: allow === "none" ? [] : parseList(allow),
    agent_id: agent === undefined ? undefined : await resolveId(muster, "agent", agent),
    messages_per_minute: perMinute === undefined ? undefined : Number(perMinute),
  };
}

const create = defineRequest({
  summary: "Create an output route",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    type: { type: "string", required: true, description: "Type of destination; see: muster routes types" },
    config: {
      type: "string",
      required: true,
      valueHint: "file",
      description: "JSON file with its configuration; - reads standard input (secrets stay out of shell history)",
    },
    kind: {
      type: "string",
      description: "results; people: it asks agents' questions; agent: people talk to an agent (default: results)",
    },
    ...FIELDS,
  },
  async send({ muster, out }, { name, type, kind, config: file, ...others }) {
    const config = await readJsonObject(file, "the configuration", out);
    return muster.createRoute(asBody({ name, type, kind, config, ...(await fieldsOf(muster, others)) }));
  },
  print: ({ out }, { name, id }) => out.line(`Created output route ${safeText(name)} (${id})`),
});

const update = defineRequest({
  summary: "Change an output route; what you leave out stays as it is",
  args: {
    ...ID,
    name: { type: "string", description: "Its new name" },
    config: {
      type: "string",
      valueHint: "file",
      description: "JSON file with its whole configuration; - reads standard input",
    },
    ...FIELDS,
  },
  async send({ muster, out }, { id, name, config: file, ...others }) {
    const config = file === undefined ? undefined : await readJsonObject(file, "the configuration", out);
    const changes = asBody<Parameters<typeof muster.updateRoute>[1]>({
      name,
      config,
      ...(await fieldsOf(muster, others)),
    });
    return muster.updateRoute({ id: await resolveId(muster, "route", id) }, changes);
  },
  print: ({ out }, { name, id }) => out.line(`Updated output route ${safeText(name)} (${id})`),
});

const setup = defineRequest({
  summary: "Show what to do at the vendor so that people can answer or talk there",
  args: ID,
  send: async ({ muster }, { id }) => muster.getRouteSetup({ id: await resolveId(muster, "route", id) }),
  print({ out }, { request_url: url, steps }) {
    for (const step of steps.split("\n")) out.line(step);
    if (url !== null) out.line(`Request URL: ${url}`);
  },
});

const pause = defineRequest({
  summary: "Stop delivering by an output route",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateRoute({ id: await resolveId(muster, "route", id) }, { is_active: false }),
  print: ({ out }, { name }) => out.line(`Output route ${safeText(name)} is paused`),
});

const resume = defineRequest({
  summary: "Deliver by an output route again",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.updateRoute({ id: await resolveId(muster, "route", id) }, { is_active: true }),
  print: ({ out }, { name }) => out.line(`Output route ${safeText(name)} is active`),
});

const test = defineRequest({
  summary: "Send a marked test by an output route",
  args: ID,
  send: async ({ muster }, { id }) => muster.testRoute({ id: await resolveId(muster, "route", id) }),
  print: ({ out }, { id }) => out.line(`Sending a test; see: muster deliveries show ${id}`),
});

const remove = defineDeletion({
  kind: "route",
  effect: "The log of its deliveries stays.",
  remove: (muster, id) => muster.deleteRoute({ id }),
});

/** `muster routes …` */
export default defineGroup("Manage output routes: where results are delivered", {
  types,
  list,
  get,
  create,
  update,
  setup,
  pause,
  resume,
  test,
  delete: remove,
});

function eventsOf(events: readonly string[]): string {
  return events.length === ROUTE_EVENTS.length ? "all" : events.join(", ");
}
