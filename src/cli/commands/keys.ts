import { KEY_KINDS, SURFACES } from "#domain/access/api-key.ts";
import type { MusterClient } from "#client/index.ts";
import { CONNECTION, parseList, parseNumber } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { AT_FORM, parseAt } from "../arguments/parse-time.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { asBody } from "../arguments/as-body.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";

const FOR_SERVICE = ["surfaces", "agents", "teams", "networks", "service-account"] as const;
const NOT_LOCAL =
  "Limits and service accounts need the service: leave out --local, and log in with a key or set MUSTER_API_KEY.";

const list = defineList({
  summary: "List the workspace's keys, newest first; the keys themselves are never shown",
  args: {},
  read: (muster, { limit }) => muster.listKeys({ limit }),
  none: () => noneYet("key"),
  row: ({
    id,
    prefix,
    label,
    kind,
    scopes,
    surfaces,
    agents,
    teams,
    networks,
    last_used_at,
    expires_at,
    replaced_by,
  }) => ({
    ID: id,
    KEY: `${prefix}…`,
    LABEL: label,
    KIND: kind,
    SCOPES: scopes.join(", "),
    LIMITS: [
      ...(surfaces ?? []),
      agents && `agents: ${agents.length}`,
      teams && `teams: ${teams.length}`,
      networks && `networks: ${networks.length}`,
    ]
      .filter(Boolean)
      .join(", "),
    "LAST USED": last_used_at === null ? "never" : formatTime(last_used_at),
    ENDS: formatTime(expires_at),
    "REPLACED BY": replaced_by,
  }),
});

const create = defineCommand({
  summary: "Create a key. Without a key of your own, it is written directly to the database of the service",
  examples: [
    "keys create",
    "keys create --kind mcp --label Editor --agents Researcher",
    "keys create --scopes read --expires 30d",
  ],
  args: {
    label: { type: "string", default: "Command line", description: "Label" },
    kind: { type: "enum", options: [...KEY_KINDS], default: "envelope", description: "Kind of key" },
    scopes: { type: "string", valueHint: "a,b", description: "read, write (default: both)" },
    surfaces: { type: "string", valueHint: "a,b", description: `${SURFACES.join(", ")} (default: all of the kind)` },
    agents: { type: "string", valueHint: "a,b", description: "Agents to which it is limited, by id or name" },
    teams: { type: "string", valueHint: "a,b", description: "Teams to which it is limited, by id or name" },
    expires: { type: "string", valueHint: "time", description: `Expiry: ${AT_FORM}` },
    networks: { type: "string", valueHint: "a,b", description: "Networks (CIDR) from which it may be used" },
    "service-account": { type: "string", description: "The service account that it belongs to, by id or name" },
    local: { type: "boolean", description: "Open the database of the service (DATABASE_URL or the data folder)" },
    ...CONNECTION,
  },
  async run(args) {
    const { label, kind, scopes } = args;
    const expires = args.expires === undefined ? undefined : parseAt("expires", args.expires);
    const { muster, out, settings } = openSession(args);
    if (args.local || settings.apiKey === undefined) {
      if (FOR_SERVICE.some((option) => args[option] !== undefined)) throw new UsageError(NOT_LOCAL);
      const { createKey } = await import("../../service/operator.ts");
      const key = await createKey({ kind, label, scopes: parseList(scopes), expires });
      if (args.json) out.json({ key, kind, label });
      else {
        out.line(key);
        out.note("Copy it now; it won't be shown again. Store it for this client: muster login", "dim");
      }
      return EXIT.ok;
    }
    const made = await muster.createKey(
      asBody({
        label,
        kind,
        scopes: parseList(scopes),
        surfaces: parseList(args.surfaces),
        agents: await idsOf(muster, "agent", args.agents),
        teams: await idsOf(muster, "team", args.teams),
        networks: parseList(args.networks),
        expires_at: expires,
        service_account_id: await resolveOptionalId(muster, "service account", args["service-account"]),
      }),
    );
    if (args.json) out.json(made);
    else {
      out.line(made.key);
      out.note(`Created ${made.kind} key ${made.id}. Copy it now; it won't be shown again.`, "dim");
    }
    return EXIT.ok;
  },
});

/** The ids of the records that an option lists by id or name. */
async function idsOf(muster: MusterClient, kind: "agent" | "team", given: string | undefined) {
  const named = parseList(given);
  return named && Promise.all(named.map((one) => resolveId(muster, kind, one)));
}

const revoke = defineDeletion({
  kind: "key",
  effect: "It stops working immediately.",
  verb: "Revoke",
  remove: (muster, id) => muster.revokeKey({ id }),
});

const rotate = defineRequest({
  summary: "Replace a key: print a new one, once; the old one works until the overlap ends",
  args: {
    id: { type: "positional", description: "Id or name" },
    overlap: { type: "string", valueHint: "seconds", description: "How long both keys work (default: 1 day)" },
  },
  async send({ muster }, args) {
    const overlap = parseNumber("overlap", args.overlap);
    return muster.rotateKey({ id: await resolveId(muster, "key", args.id) }, { overlap_seconds: overlap });
  },
  print({ out }, { key, kind, id }, { id: old }) {
    out.line(key);
    out.note(`Created ${kind} key ${id} to replace ${old}. Copy it now; it won't be shown again.`, "dim");
  },
});

/** `muster keys …` */
export default defineGroup("Manage API keys", { list, create, revoke, rotate });
