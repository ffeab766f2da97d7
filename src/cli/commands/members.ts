import type { MusterClient } from "#client/index.ts";
import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { resolveRecord } from "../arguments/resolve-record.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { ROLES } from "#domain/access/role.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const list = defineList({
  summary: "List members and their roles",
  args: {},
  read: (muster, { limit }) => muster.listMembers({ limit }),
  none: () => noneYet("member"),
  row: ({ user_id, email, name, role, created_at }) => ({
    "USER ID": user_id,
    EMAIL: email,
    NAME: name,
    ROLE: role,
    SINCE: formatTime(created_at),
  }),
});

const invite = defineRequest({
  summary: "Invite a person and print the one-time link once",
  args: {
    email: { type: "positional", description: "E-mail address" },
    role: { type: "enum", options: [...ROLES], default: "member", description: "Role in the workspace" },
  },
  send: ({ muster }, { email, role }) => muster.createInvitation({ email, role }),
  print({ out }, { link, expires_at }, { email }) {
    out.line(safeText(link));
    out.note(`Send the link to ${email}; it expires ${formatTime(expires_at)}.`, "dim");
  },
});

const remove = defineDeletion({
  kind: "member",
  effect: "Their keys stop working immediately.",
  verb: "Remove",
  findMore: keysOf,
  remove: (muster, id) => muster.removeMember({ userId: id }),
});

const signOut = defineRequest({
  summary: "End all sessions of a member. They can sign in again; their keys stay",
  args: { id: { type: "positional", description: "Id or e-mail address of the member" } },
  async send({ muster }, { id: given }) {
    const { id } = await resolveRecord(muster, "member", given);
    await muster.endMemberSessions({ userId: id });
    return { id, signed_out: true };
  },
  print: ({ out }, { id }) => out.line(`Ended the sessions of member ${id}`),
});

/** The keys that end with a member or a service account; callers who may not list keys are told nothing. */
export async function keysOf(muster: MusterClient, userId: string): Promise<string> {
  const { items } = await muster.listKeys({ limit: 200 }).catch(() => ({ items: [] }));
  const keys = items.filter(({ created_by }) => created_by === userId);
  return keys.map(({ prefix, label, kind }) => `Ends: ${kind} key ${prefix}… (${safeText(label)})`).join("\n");
}

/** `muster members …` */
export default defineGroup("Manage members", { list, invite, "sign-out": signOut, remove });
