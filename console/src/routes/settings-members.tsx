import { useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { InvitationList } from "../features/settings/invitation-list.tsx";
import { InviteDialog } from "../features/settings/invite-dialog.tsx";
import { MemberTable } from "../features/settings/member-table.tsx";
import { useMembers } from "../features/settings/queries.ts";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { NoMatch } from "../ui/record-list.tsx";
import { TextSearch } from "../ui/text-search.tsx";

const ADD = { add: "yes" };

/** The people of the workspace and their roles. */
export function MemberSettings() {
  const { add, q } = useSearch({ from: "/w/$workspace/settings/members" });
  const navigate = useNavigate();
  const members = useMembers(q);
  const blockedBy = useBlockedBy("admin");
  useApiCalls([
    { title: "List members", method: "GET", path: "/console/api/members" },
    {
      title: "Invite a person",
      method: "POST",
      path: "/console/api/invitations",
      body: { email: "grace@example.org", role: "member" },
    },
  ]);
  return (
    <>
      <TabBar text="Everyone in this workspace, and their roles.">
        <OpenLink needs="admin" search={ADD}>
          Invite
        </OpenLink>
      </TabBar>
      <TextSearch label="Name or e-mail" q={q} />
      <PagedList pages={members} empty={<NoMatch title="No member matches" />}>
        {(rows) => <MemberTable members={rows} />}
      </PagedList>
      <InvitationList />
      {add === "yes" && blockedBy === undefined && (
        <InviteDialog onClose={() => void navigate({ to: ".", search: (before) => ({ ...before, add: undefined }) })} />
      )}
    </>
  );
}
