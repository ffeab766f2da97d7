import { useQueryClient } from "@tanstack/react-query";
import type { components } from "#client/gen/schema.ts";
import { endOtherSessions, endSession } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { signOut } from "../../api/sign-out.ts";
import { Button } from "../../ui/button.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { orTell, showFailure } from "../../ui/messages.ts";
import { deviceLabel } from "./device-label.ts";
import { useSessions } from "./queries.ts";

/** The person's sessions; each can be ended, or all together. */
export function SessionList() {
  const client = useQueryClient();
  const sessions = useSessions();
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
      <QueryPart query={sessions} rows={1}>
        {(data) => (
          <ul>
            {data.map((session) => (
              <Session key={session.id} session={session} onEnd={() => void end(call(endSession)(session))} />
            ))}
          </ul>
        )}
      </QueryPart>
    </Section>
  );
}

function Session({
  session: { current, user_agent: device, last_used_at: at },
  onEnd,
}: {
  readonly session: components["schemas"]["Session"];
  readonly onEnd: () => void;
}) {
  const button = (
    <Button size="small" onClick={onEnd}>
      Sign out
    </Button>
  );
  return (
    <SectionRow end={current ? "This one" : button}>
      <span className="truncate" title={device ?? undefined}>
        {deviceLabel(device)}
      </span>
      <span className="text-ink-3">
        <Time at={at} />
      </span>
    </SectionRow>
  );
}
