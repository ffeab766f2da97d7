import { Link } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import type { Pages } from "../api/use-pages.ts";
import { buttonClass } from "./button.tsx";
import { PagedList } from "./paged-list.tsx";
import { Empty } from "./states.tsx";
import { Table } from "./table.tsx";

/** A list of records, page by page: its rows as a table, and what is there instead of them. */
export function RecordList<Row extends { readonly id: string }>({
  pages,
  empty,
  noMatch,
  ...table
}: Pick<ComponentProps<typeof Table<Row>>, "label" | "list" | "columns"> & {
  readonly pages: Pages<Row>;
  /** What is there while there is no record. */
  readonly empty: ReactNode;
  /** That no record matches, where the list is narrowed. */
  readonly noMatch?: string | false;
}) {
  return (
    <PagedList pages={pages} empty={noMatch ? <NoMatch title={noMatch} /> : empty}>
      {(rows) => <Table {...table} rows={rows} keyOf={({ id }) => id} isStale={pages.isStale} />}
    </PagedList>
  );
}

/** In place of a list in which nothing matches: takes all away that narrows it. */
export function NoMatch({ title }: { readonly title: string }) {
  return (
    <Empty
      title={title}
      action={
        <Link to="." search={({ tab, view, base, sort }) => ({ tab, view, base, sort })} className={buttonClass()}>
          Clear filters
        </Link>
      }
    />
  );
}
