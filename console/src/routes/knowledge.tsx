import { useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { AddDocuments } from "../features/knowledge/add-documents.tsx";
import { BaseDialog } from "../features/knowledge/base-dialog.tsx";
import { BaseList } from "../features/knowledge/base-list.tsx";
import { BaseMenu } from "../features/knowledge/base-menu.tsx";
import { DocumentFilters } from "../features/knowledge/document-filters.tsx";
import { DocumentSheet } from "../features/knowledge/document-sheet.tsx";
import { DocumentTable } from "../features/knowledge/document-table.tsx";
import {
  documentsPath,
  useBases,
  useDocumentTags,
  useDocuments,
  useHasSemanticSearch,
} from "../features/knowledge/queries.ts";
import type { KnowledgeBase } from "../features/knowledge/queries.ts";
import { SearchTester, findsPath } from "../features/knowledge/search-tester.tsx";
import { isFiltered, readKnowledgeSearch } from "../features/knowledge/search.ts";
import type { KnowledgeSearch } from "../features/knowledge/search.ts";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { NoMatch } from "../ui/record-list.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { QueryPart } from "../ui/query-part.tsx";
import { Empty } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const BY_LABELS =
  "Documents are found by the words in them. With an OpenAI or Google key, they are found by meaning, too.";

const ADD_BASE = { add: "base" };
const ADD_DOCUMENTS = { add: "documents" };

/** What agents look things up in: knowledge bases, their documents, and a search to try. */
export function KnowledgePage() {
  const search = readKnowledgeSearch(useSearch({ from: "/w/$workspace/knowledge" }));
  const navigate = usePageNavigate({ from: "/w/$workspace/knowledge" });
  const bases = useBases();
  const blockedBy = useBlockedBy("member");
  const base = bases.data?.find(({ id }) => id === search.base);
  const close = () => void navigate({ search: (before) => ({ ...before, add: undefined }) });
  useKnowledgeCalls(search);
  return (
    <Page
      title="Knowledge"
      actions={<Actions base={base} hasBases={bases.data !== undefined && bases.data.length > 0} />}
      below={<Views search={search} />}
    >
      <QueryPart query={bases} rows={8}>
        {(all) => (all.length === 0 ? <NoBases /> : <Content search={search} bases={all} />)}
      </QueryPart>
      {blockedBy === undefined && search.add === "base" && (
        <BaseDialog
          onClose={close}
          onSaved={({ id }) => void navigate({ search: (before) => ({ ...before, base: id, add: undefined }) })}
        />
      )}
      {blockedBy === undefined && search.add === "documents" && bases.data !== undefined && bases.data.length > 0 && (
        <AddDocuments bases={bases.data} preferred={search.base} onClose={close} />
      )}
      {search.document !== undefined && (
        <DocumentSheet
          id={search.document}
          onClose={() => void navigate({ search: (before) => ({ ...before, document: undefined }) })}
        />
      )}
    </Page>
  );
}

function useKnowledgeCalls(search: KnowledgeSearch): void {
  const { view, ask, base } = search;
  useApiCalls([
    view === "search"
      ? {
          title: "Search",
          method: "GET",
          path: findsPath(ask ?? "<question>", base),
          command: `knowledge search "${ask ?? "<question>"}"`,
        }
      : { title: "List documents", method: "GET", path: documentsPath(search), command: "knowledge list" },
    {
      title: "Add a document",
      method: "POST",
      path: "/console/api/knowledge/documents",
      body: { knowledge_base_id: base ?? "<knowledge base id>", name: "Note", text: "What agents should know." },
      command: `knowledge add handbook.pdf --base ${base ?? "<knowledge base>"}`,
    },
  ]);
}

function Actions({ base, hasBases }: { readonly base: KnowledgeBase | undefined; readonly hasBases: boolean }) {
  return (
    <>
      {hasBases && <AddDocumentsLink />}
      {base !== undefined && <BaseMenu base={base} />}
    </>
  );
}

function AddDocumentsLink() {
  return (
    <OpenLink needs="member" search={ADD_DOCUMENTS}>
      Add documents
    </OpenLink>
  );
}

function Views({ search }: { readonly search: KnowledgeSearch }) {
  const { slug } = useWorkspace();
  const link = (view: KnowledgeSearch["view"]) => ({
    to: "/w/$workspace/knowledge" as const,
    params: { workspace: slug },
    search: { ...search, view, document: undefined },
  });
  const tabs = [
    { key: "documents", label: "Documents", link: link(undefined) },
    { key: "search", label: "Search", link: link("search") },
  ];
  return <Tabs label="Knowledge" tabs={tabs} current={search.view ?? "documents"} />;
}

function NoBases() {
  return (
    <Empty
      title="No knowledge yet"
      action={
        <OpenLink needs="member" search={ADD_BASE}>
          New knowledge base
        </OpenLink>
      }
      command={curlLine("/console/api/knowledge/bases", { name: "Handbook" })}
    >
      Documents that agents look things up in, and quote as their source. {BY_LABELS}
    </Empty>
  );
}

function Content({ search, bases }: { readonly search: KnowledgeSearch; readonly bases: readonly KnowledgeBase[] }) {
  const findsMeaning = useHasSemanticSearch();
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-col">
      <BaseList bases={bases} selected={search.base} />
      <div className="min-w-0 flex-1">
        {search.view === "search" ? (
          <SearchTester question={search.ask} base={search.base} bases={bases} />
        ) : (
          <Documents search={search} bases={bases} />
        )}
        {findsMeaning === false && <p className="px-page py-3 text-small text-ink-3">{BY_LABELS}</p>}
      </div>
    </div>
  );
}

function Documents({ search, bases }: { readonly search: KnowledgeSearch; readonly bases: readonly KnowledgeBase[] }) {
  const documents = useDocuments(search);
  const tags = useDocumentTags(search.base);
  return (
    <>
      <DocumentFilters search={search} tags={tags} />
      <PagedList
        pages={documents}
        empty={isFiltered(search) ? <NoMatch title="No document matches these filters" /> : NO_DOCUMENTS}
      >
        {(rows) => (
          <DocumentTable documents={rows} bases={search.base === undefined ? bases : []} isStale={documents.isStale} />
        )}
      </PagedList>
    </>
  );
}

const NO_DOCUMENTS = (
  <Empty title="No documents yet" action={<AddDocumentsLink />}>
    Add files or paste a text. Each is read in the background and can be found when it is ready.
  </Empty>
);
