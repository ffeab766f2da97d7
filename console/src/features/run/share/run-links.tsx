import { useQueryClient } from "@tanstack/react-query";
import { revokeRunLink } from "#client/gen/operations/runs.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { Button } from "../../../ui/button.tsx";
import { showFailure } from "../../../ui/messages.ts";
import { Section, SectionRow } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";

type ListedLink = components["schemas"]["ListedRunLink"];

const STATES = { expired: "Expired", revoked: "Revoked" } as const;

/** The links of a run, which can be revoked; nothing where there are none. */
export function RunLinks({ runId, links }: { readonly runId: string; readonly links: readonly ListedLink[] }) {
  if (links.length === 0) return null;
  return (
    <div className="mt-6">
      <Section title="Links">
        <ul>
          {links.map((link) => (
            <SectionRow
              key={link.id}
              end={
                link.state === "open" ? (
                  <Revoke runId={runId} link={link} />
                ) : (
                  <span className="text-small">{STATES[link.state]}</span>
                )
              }
            >
              <Description link={link} />
            </SectionRow>
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Description({ link }: { readonly link: ListedLink }) {
  const { attempt, shows_steps: steps, shows_cost: cost, created_by: by, expires_at: end } = link;
  const shown = ["Result", ...(steps ? ["steps"] : []), ...(cost ? ["cost"] : [])].join(", ");
  return (
    <span className="min-w-0 text-small">
      {shown} of attempt {attempt}
      <span className="block text-ink-3">
        By <Bdi>{by.name}</Bdi>
        {link.state === "open" && (
          <>
            , expires <Time at={end} />
          </>
        )}
      </span>
    </span>
  );
}

function Revoke({ runId, link: { id, created_by: by } }: { readonly runId: string; readonly link: ListedLink }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  async function revoke(): Promise<void> {
    const request = call(revokeRunLink)({ id: runId, link_id: id });
    await request.catch(showFailure);
    await client.invalidateQueries({ queryKey: ["run-links", runId] });
  }
  return (
    <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => void revoke()}>
      Revoke<span className="sr-only"> the link by {by.name}</span>
    </Button>
  );
}
