import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { FormEvent } from "react";
import { given } from "../../lib/given.ts";
import { searchKnowledge } from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";
import { stringifySearch } from "../../lib/search.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Empty } from "../../ui/states.tsx";
import type { KnowledgeBase } from "./queries.ts";

const LIMIT = 10;

/** What a search gives. */
type Finds = components["schemas"]["KnowledgeFinds"];

/** The URL of a search. */
export function findsPath(question: string, base: string | undefined): string {
  return `/console/api/knowledge/search${stringifySearch(findsQuery(question, base))}`;
}

function findsQuery(question: string, base: string | undefined) {
  return given({ q: question, knowledge_base_ids: base, limit: LIMIT });
}

/** Asks the knowledge as an agent's tool does, and shows what is found with its score. */
export function SearchTester({
  question,
  base,
  bases,
}: {
  /** What was asked, from the URL. */
  readonly question: string | undefined;
  readonly base: string | undefined;
  readonly bases: readonly KnowledgeBase[];
}) {
  return (
    <div className="flex flex-col">
      <Form key={question} question={question} />
      {question === undefined ? (
        <Empty title="Ask what an agent would ask">
          The same search that agents use: the best passages, with their source and score.
        </Empty>
      ) : (
        <Results question={question} base={base} bases={bases} />
      )}
    </div>
  );
}

function Form({ question }: { readonly question: string | undefined }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/knowledge" });
  const [text, setText] = useState(question ?? "");
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const ask = text.trim();
    void navigate({ search: (before) => ({ ...before, ask: ask === "" ? undefined : ask }) });
  }
  return (
    <form
      role="search"
      aria-label="Search knowledge"
      onSubmit={onSubmit}
      className="flex gap-2 border-b border-line px-page py-2"
    >
      <Input
        type="search"
        aria-label="Question"
        placeholder="A question, or words"
        maxLength={2_000}
        className="max-w-[35rem]"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button look="plain" type="submit">
        Search
      </Button>
    </form>
  );
}

function Results({
  question,
  base,
  bases,
}: {
  readonly question: string;
  readonly base: string | undefined;
  readonly bases: readonly KnowledgeBase[];
}) {
  const query = useQuery({
    queryKey: ["finds", question, base],
    queryFn: () => call(searchKnowledge)(findsQuery(question, base)),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryPart query={query}>
      {({ mode, note, results }) => (
        <div className={query.isPlaceholderData ? "opacity-50" : ""}>
          <p className="border-b border-line bg-surface px-page py-2 text-small text-ink-3">
            {mode === "words" ? "Full-text search" : "Full-text search, and by meaning"}
            {note !== null && <span className="text-waiting"> {note}</span>}
          </p>
          {results.length === 0 ? (
            <Empty title="Nothing found">
              No passage has these words. Documents that are still being read are not found yet.
            </Empty>
          ) : (
            <ol aria-label="Passages">
              {results.map((found) => (
                <Passage key={`${found.document.id} ${found.position}`} found={found} bases={bases} />
              ))}
            </ol>
          )}
        </div>
      )}
    </QueryPart>
  );
}

function Passage({
  found,
  bases,
}: {
  readonly found: Finds["results"][number];
  readonly bases: readonly KnowledgeBase[];
}) {
  const { content, score, heading, page, document, knowledge_base_id: baseId } = found;
  const where = [bases.find(({ id }) => id === baseId)?.name, heading, page === null ? null : `page ${page}`];
  return (
    <li className="flex gap-4 border-b border-line px-page py-3 max-sm:gap-2">
      <span className="flex w-14 shrink-0 flex-col gap-1 max-sm:w-11">
        <span className="font-medium" aria-label={`Score ${score.toFixed(2)}`}>
          {score.toFixed(2)}
        </span>
        <span aria-hidden="true" className="h-0.5 rounded-full bg-line">
          <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.round(score * 100)}%` }} />
        </span>
      </span>
      <span className="max-w-[72ch] min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="."
            search={(before) => ({ ...before, document: document.id })}
            dir="auto"
            className="font-medium text-accent hover:underline"
          >
            {visibleText(document.name)}
          </Link>
          <span className="text-small text-ink-3">{visibleText(where.filter(Boolean).join(", "))}</span>
        </span>
        <span dir="auto" className="mt-1 line-clamp-6 block whitespace-pre-line text-ink-2">
          {visibleText(content)}
        </span>
      </span>
    </li>
  );
}
