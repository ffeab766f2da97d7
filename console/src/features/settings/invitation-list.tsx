import { useQueryClient } from "@tanstack/react-query";
import { deleteInvitation } from "#client/gen/operations/members.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Section, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { showFailure } from "../../ui/messages.ts";
import { useInvitations } from "./queries.ts";
import { ROLE_NAMES } from "./roles.ts";
import { ShowMore } from "../../ui/paged-list.tsx";

/** The invitations that are not used yet. */
export function InvitationList() {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");
  const invitations = useInvitations();
  const { rows = [] } = invitations;
  if (rows.length === 0) return null;
  async function withdraw(id: string): Promise<void> {
    await call(deleteInvitation)({ id }).catch(showFailure);
    await client.invalidateQueries({ queryKey: ["invitations"] });
  }
  return (
    <div className="p-6 max-sm:p-4">
      <Section title="Open invitations">
        <ul>
          {rows.map(({ id, email, role, expires_at: until }) => (
            <SectionRow
              key={id}
              end={
                <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => void withdraw(id)}>
                  Withdraw<span className="sr-only"> the invitation of {email}</span>
                </Button>
              }
            >
              <span className="flex min-w-0 gap-x-2 max-sm:flex-col">
                <span className="truncate font-medium">{email}</span>
                <span className="truncate text-ink-3 max-sm:text-small">
                  {ROLE_NAMES[role]}, expires <Time at={until} />
                </span>
              </span>
            </SectionRow>
          ))}
        </ul>
        <ShowMore pages={invitations} />
      </Section>
    </div>
  );
}
