import { useQueryClient } from "@tanstack/react-query";
import { endOtherSessions, endSession } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { signOut } from "../../api/sign-out.ts";
import { Button } from "../../ui/button.tsx";
import { Section, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { orTell, showFailure } from "../../ui/messages.ts";
import { deviceLabel } from "./device-label.ts";
import { useSessions } from "./queries.ts";

/** The person's sessions; each can be ended, or all together. */
export function SessionList() {
  const client = useQueryClient();
  const { data = [] } = useSessions();
  async function end(work: Promise<void>): Promise<void> {
    await work.catch(showFailure);
    await client.invalidateQueries({ queryKey: ["sessions"] });
  }
  async function endAll(): Promise<void> {
    await call(endOtherSessions)();
    await signOut();
  }
  return (
    <Section
      title="Signed in"
      aside={
        <Button size="small" look="danger" onClick={() => orTell(endAll())}>
          Sign out everywhere
        </Button>
      }
    >
      <ul>
        {data.map(({ id, current, user_agent: device, last_used_at: at }) => (
          <SectionRow
            key={id}
            end={
              current ? (
                "This one"
              ) : (
                <Button size="small" onClick={() => void end(call(endSession)({ id }))}>
                  Sign out
                </Button>
              )
            }
          >
            <span className="truncate" title={device ?? undefined}>
              {deviceLabel(device)}
            </span>
            <span className="text-ink-3">
              <Time at={at} />
            </span>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}
