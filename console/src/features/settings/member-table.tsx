import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { removeMember, updateMember } from "#client/gen/operations/members.ts";
import { call } from "../../api/client.ts";
import { useAccess, useBlockedBy } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Checkbox, Select } from "../../ui/fields.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { showFailure } from "../../ui/messages.ts";
import { EndSessions } from "./end-sessions.tsx";
import { EndingKeys } from "./ending-keys.tsx";
import type { Member } from "./queries.ts";
import { ROLES, ROLE_NAMES } from "./roles.ts";

const COLUMNS: readonly Column<Member>[] = [
  {
    head: "Person",
    cell: ({ name, email }) => (
      <>
        <span dir="auto" className="block truncate font-medium">
          {visibleText(name)}
        </span>
        <span className="block truncate text-small text-ink-3 max-sm:wrap-anywhere max-sm:whitespace-normal">
          {email}
        </span>
      </>
    ),
  },
  { head: "Since", cell: ({ created_at: at }) => <Time at={at} />, width: "w-36", from: "md" },
  { head: "Role", cell: (member) => <RoleCell member={member} />, width: "w-32 max-sm:w-30" },
  { head: "Answers", cell: (member) => <AnswerRight member={member} />, width: "w-28", from: "sm" },
  { head: "Sessions", cell: (member) => <EndSessions member={member} />, width: "w-28", from: "sm" },
  { head: "Action", cell: (member) => <ActionCell member={member} />, align: "end", width: "w-28 max-sm:w-26" },
];

/** Who may do what. */
export function MemberTable({ members }: { readonly members: readonly Member[] }) {
  return <Table label="Members" columns={COLUMNS} rows={members} keyOf={({ user_id: id }) => id} />;
}

/** On a phone, which has no column for it, with the right to answer. */
function RoleCell({ member }: { readonly member: Member }) {
  return (
    <>
      <RoleSelect member={member} />
      {member.role === "viewer" && (
        <div className="mt-1 flex items-center gap-2 text-small sm:hidden">
          <AnswerRight member={member} />
          answers
        </div>
      )}
    </>
  );
}

/** On a phone, which has no column for it, with the end of sessions. */
function ActionCell({ member }: { readonly member: Member }) {
  return (
    <div className="flex flex-col items-end gap-1 max-xs:flex-row">
      <Remove member={member} />
      <div className="sm:hidden">
        <EndSessions member={member} />
      </div>
    </div>
  );
}

function RoleSelect({ member: { user_id: userId, name, role } }: { readonly member: Member }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy(role === "owner" ? "owner" : "admin");
  const { role: own } = useAccess();
  const offered = blockedBy === undefined ? ROLES.slice(0, ROLES.indexOf(own) + 1) : [role];
  async function change(next: Member["role"] | undefined): Promise<void> {
    if (next === undefined) return;
    try {
      await call(updateMember)({ userId }, { role: next });
    } catch (error) {
      showFailure(error);
    }
    await client.invalidateQueries({ queryKey: ["members"] });
  }
  return (
    <Select
      aria-label={`Role of ${name}`}
      value={role}
      disabled={blockedBy !== undefined}
      title={blockedBy}
      onChange={({ target }) => void change(ROLES.find((each) => each === target.value))}
    >
      {offered.map((each) => (
        <option key={each} value={each}>
          {ROLE_NAMES[each]}
        </option>
      ))}
    </Select>
  );
}

/** Members answer questions anyway; a viewer only with this right. */
function AnswerRight({ member: { user_id: userId, name, role, can_answer: canAnswer } }: { readonly member: Member }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");
  async function change(can_answer: boolean): Promise<void> {
    try {
      await call(updateMember)({ userId }, { can_answer });
    } catch (error) {
      showFailure(error);
    }
    await client.invalidateQueries({ queryKey: ["members"] });
  }
  if (role !== "viewer") return <span className="text-ink-3">Yes</span>;
  return (
    <Checkbox
      label={<span className="sr-only">{name} may answer questions</span>}
      checked={canAnswer}
      disabled={blockedBy !== undefined}
      title={blockedBy}
      onChange={({ target }) => void change(target.checked)}
    />
  );
}

function Remove({ member: { user_id: userId, name, role } }: { readonly member: Member }) {
  const client = useQueryClient();
  const { user } = useAccess();
  const isOwn = user.id === userId;
  const blockedBy = useBlockedBy(isOwn ? "viewer" : role === "owner" ? "owner" : "admin");
  const [isAsking, setAsking] = useState(false);
  async function remove(): Promise<void> {
    await call(removeMember)({ userId });
    if (isOwn) location.assign("/");
    else await client.invalidateQueries({ queryKey: ["members"] });
  }
  return (
    <>
      <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => setAsking(true)}>
        {isOwn ? "Leave" : "Remove"}
        {!isOwn && <span className="sr-only"> {name}</span>}
      </Button>
      {isAsking && (
        <Confirm
          title={isOwn ? "Leave this workspace?" : `Remove ${name}?`}
          action={isOwn ? "Leave workspace" : "Remove member"}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <EndingKeys userId={userId} />
        </Confirm>
      )}
    </>
  );
}
