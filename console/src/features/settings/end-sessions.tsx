import { useState } from "react";
import { endMemberSessions } from "#client/gen/operations/members.ts";
import { call } from "../../api/client.ts";
import { useAccess, useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import type { Member } from "./queries.ts";

/** Signs another member out everywhere; one's own sessions are in the profile. */
export function EndSessions({ member: { user_id: userId, name, role } }: { readonly member: Member }) {
  const blockedBy = useBlockedBy(role === "owner" ? "owner" : "admin");
  const { user } = useAccess();
  const [isAsking, setAsking] = useState(false);
  if (user.id === userId) return null;
  return (
    <>
      <Button size="small" blockedBy={blockedBy} onClick={() => setAsking(true)}>
        Sign out<span className="sr-only"> {name}</span>
      </Button>
      {isAsking && (
        <Confirm
          title={`Sign ${name} out everywhere?`}
          action="End sessions"
          onConfirm={() => call(endMemberSessions)({ userId })}
          onClose={() => setAsking(false)}
        >
          <p>All their sessions end, also those in other workspaces. They can sign in again; their keys stay.</p>
        </Confirm>
      )}
    </>
  );
}
