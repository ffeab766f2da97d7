import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { listAnswerLinks, revokeAnswerLink } from "#client/gen/operations/questions.ts";
import { call } from "../../api/client.ts";
import { given } from "../../lib/given.ts";
import type { components } from "#client/gen/schema.ts";
import { usePages } from "../../api/use-pages.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Button } from "../../ui/button.tsx";
import { Section, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { showFailure } from "../../ui/messages.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ShowMore } from "../../ui/paged-list.tsx";

type ListedLink = components["schemas"]["ListedAnswerLink"];

/** The key under which links are kept in the query cache. */
export const LINKS_KEY = ["answer-links"] as const;

const STATES = {
  open: "Open",
  answered: "Answered",
  expired: "Expired",
  revoked: "Revoked",
} as const satisfies Record<ListedLink["state"], string>;

/** The links to one question or to all of the workspace, which can be revoked; nothing where there are none. */
export function AnswerLinks({ questionId }: { readonly questionId?: string }) {
  const links = usePages(LINKS_KEY, [listAnswerLinks, given({ question_id: questionId })]);
  const { rows = [] } = links;
  if (rows.length === 0) return null;
  return (
    <Section title="Answer links">
      <ul>
        {rows.map((link) => (
          <Row key={link.id} link={link} hasRun={questionId === undefined} />
        ))}
      </ul>
      <ShowMore pages={links} />
    </Section>
  );
}

function Row({ link, hasRun }: { readonly link: ListedLink; readonly hasRun: boolean }) {
  const { slug } = useWorkspace();
  const { state, created_by: by, route, created_at: at, run_id: run, question, title } = link;
  return (
    <SectionRow end={state === "open" ? <Revoke link={link} /> : <span className="text-small">{STATES[state]}</span>}>
      <span className="min-w-0">
        {hasRun && (
          <Link
            to="/w/$workspace/runs/$id"
            params={{ workspace: slug, id: run }}
            dir="auto"
            className="block truncate font-medium text-accent hover:underline"
          >
            {visibleText(question ?? title ?? "")}
          </Link>
        )}
        <span className="block truncate text-small text-ink-3">
          {route === null ? "Created by" : "Posted by the route"} <Bdi>{(route ?? by).name}</Bdi>, <Time at={at} />
        </span>
      </span>
    </SectionRow>
  );
}

function Revoke({ link: { id, question } }: { readonly link: ListedLink }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  async function revoke(): Promise<void> {
    await call(revokeAnswerLink)({ id }).catch(showFailure);
    await client.invalidateQueries({ queryKey: LINKS_KEY });
  }
  return (
    <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => void revoke()}>
      Revoke<span className="sr-only"> the link to {question ?? "the question"}</span>
    </Button>
  );
}
