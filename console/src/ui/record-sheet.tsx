import type { ReactNode } from "react";
import { QueryPart } from "./query-part.tsx";
import type { PartQuery } from "./query-part.tsx";
import { Sheet } from "./sheet.tsx";

/** A sheet that shows one record, once it is read. */
export function RecordSheet<T>({
  query,
  title,
  description,
  onClose,
  children,
}: {
  readonly query: PartQuery<T>;
  /** Its name, or what it is as long as that is not known. */
  readonly title: (record: T | undefined) => string;
  readonly description?: (record: T) => ReactNode;
  readonly onClose: () => void;
  readonly children: (record: T) => ReactNode;
}) {
  const { data } = query;
  return (
    <Sheet title={title(data)} description={data === undefined ? undefined : description?.(data)} onClose={onClose}>
      <QueryPart query={query}>{children}</QueryPart>
    </Sheet>
  );
}
