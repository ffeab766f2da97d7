import { ROLES } from "#domain/access/role.ts";
import { parseList } from "../arguments/arguments.ts";
import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { requireChange } from "../arguments/require-change.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { asBody } from "../arguments/as-body.ts";
import { formatTime } from "../terminal/format.ts";
import { keysOf } from "./members.ts";

const NETWORKS = {
  type: "string",
  valueHint: "a,b",
  description: "Networks (CIDR) from which its keys may be used",
} as const;
const GIVEN = ROLES.filter((role) => role !== "owner");

const list = defineList({
  summary: "List service accounts: programs that act in their own name",
  args: {},
  read: (muster, { limit }) => muster.listServiceAccounts({ limit }),
  none: () => noneYet("service account"),
  row: ({ id, name, role, client, networks, created_at }) => ({
    ID: id,
    NAME: name,
    ROLE: role,
    CLIENT: client,
    NETWORKS: (networks ?? []).join(", "),
    SINCE: formatTime(created_at),
  }),
});

const create = defineRequest({
  summary: "Create a service account; then create its keys: muster keys create --service-account <name>",
  args: {
    name: { type: "string", required: true, description: "Name" },
    role: { type: "enum", options: GIVEN, default: "member", description: "Role in the workspace" },
    networks: NETWORKS,
  },
  send: ({ muster }, { name, role, networks }) =>
    muster.createServiceAccount(asBody({ name, role, networks: parseList(networks) })),
  print: ({ out }, { id }) => out.line(`Created service account ${id}`),
});

const update = defineRequest({
  summary: "Change a service account's name, role or networks",
  args: {
    id: { type: "positional", description: "Id or name" },
    name: { type: "string", description: "Name" },
    role: { type: "enum", options: GIVEN, description: "Role in the workspace" },
    networks: { ...NETWORKS, description: `${NETWORKS.description}; none for everywhere` },
  },
  async send({ muster }, { id, name, role, networks }) {
    const given = { name, role, networks: networks === "none" ? null : parseList(networks) };
    requireChange(given);
    return muster.updateServiceAccount({ id: await resolveId(muster, "service account", id) }, asBody(given));
  },
  print: ({ out }, { id }) => out.line(`Updated service account ${id}`),
});

const remove = defineDeletion({
  kind: "service account",
  effect: "Its keys stop working immediately.",
  verb: "Remove",
  findMore: keysOf,
  remove: (muster, id) => muster.deleteServiceAccount({ id }),
});

/** `muster service-accounts …` */
export default defineGroup("Manage service accounts", { list, create, update, remove });
