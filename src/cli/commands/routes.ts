import { z } from "zod";
import { ROUTE_EVENTS } from "#domain/destinations/payload.ts";
import { CONNECTION, LIMIT, parseCount, parseList } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import type { Command } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { readJsonObject } from "../arguments/read-json.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { asBody } from "../arguments/as-body.ts";
import { openSession } from "../service/session.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";

/** The shown part of a configuration's JSON Schema. */
const configFields = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

const ID = { id: { type: "positional", description: "Id or name" } } as const;

const types = defineCommand({
  summary: "List the types of destinations with the fields of their configuration",
  args: CONNECTION,
  async run(args) {
    const { muster, out } = openSession(args);
    const found = await muster.listRouteTypes();
    if (args.json) out.json(found);
    else {
      const rows = found.map(({ type, title, config_schema }) => {
        const { properties, required } = configFields.parse(config_schema);
        const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `[${name}]`));
        return [type, title, names.join(", ")];
      });
      out.table(["TYPE", "TITLE", "CONFIG ([optional])"], rows);
    }
    return EXIT.ok;
  },
});

const list = defineCommand({
  summary: "List output routes, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listRoutes({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("route"));
    else {
      const rows = items.map(({ id, name, type, events, is_active, health }) => [
        id,
        name,
        type,
        eventsOf(events),
        is_active ? health : "paused",
      ]);
      out.table(["ID", "NAME", "TYPE", "EVENTS", "STATE"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show an output route; secrets are masked",
  args: { ...ID, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const route = await muster.getRoute({ id: await resolveId(muster, "route", args.id) });
    if (args.json) out.json(route);
    else {
      const { id, name, type, events, is_active, health, failures_in_row, config } = route;
      const state = is_active ? `${health} (${failures_in_row} failures in a row)` : "paused";
      const fields = { id, name, type, events: eventsOf(events), state, config: JSON.stringify(config) };
      fieldLines(fields).forEach((line) => out.line(line));
    }
    return EXIT.ok;
  },
});

const create = defineCommand({
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
    events: { type: "string", description: "Events, separated by commas (default: all)" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const config = await readJsonObject(args.config, "the configuration", out);
    const events = parseList(args.events);
    const { name, type } = args;
    const route = await muster.createRoute(asBody({ name, type, config, ...(events && { events }) }));
    if (args.json) out.json(route);
    else out.line(`Created output route ${safeText(route.name)} (${route.id})`);
    return EXIT.ok;
  },
});

/** `muster routes pause`, `muster routes resume` */
function activation(summary: string, isActive: boolean): Command {
  return defineCommand({
    summary,
    args: { ...ID, ...CONNECTION },
    async run(args) {
      const { muster, out } = openSession(args);
      const route = await muster.updateRoute(
        { id: await resolveId(muster, "route", args.id) },
        {
          is_active: isActive,
        },
      );
      if (args.json) out.json(route);
      else out.line(`Output route ${safeText(route.name)} is ${isActive ? "active" : "paused"}`);
      return EXIT.ok;
    },
  });
}

const pause = activation("Stop delivering by an output route", false);

const resume = activation("Deliver by an output route again", true);

const test = defineCommand({
  summary: "Send a marked test by an output route",
  args: { ...ID, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const delivery = await muster.testRoute({ id: await resolveId(muster, "route", args.id) });
    if (args.json) out.json(delivery);
    else out.line(`Sending a test; see: muster deliveries show ${delivery.id}`);
    return EXIT.ok;
  },
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
  pause,
  resume,
  test,
  delete: remove,
});

function eventsOf(events: readonly string[]): string {
  return events.length === ROUTE_EVENTS.length ? "all" : events.join(", ");
}
