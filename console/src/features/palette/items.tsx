import { Command } from "cmdk";
import { createContext, use } from "react";
import type { ReactNode } from "react";
import type { Icon } from "../../ui/icon.tsx";

/** What the rows of a flat list say at their end. */
const SortContext = createContext("");

/** Things of one sort, under a heading; in a flat list, which is ranked over all sorts, each row says its sort. */
export function Group({
  heading,
  isFlat,
  children,
}: {
  readonly heading: string;
  readonly isFlat: boolean;
  readonly children: ReactNode;
}) {
  if (isFlat) return <SortContext value={heading}>{children}</SortContext>;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-caption [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Command.Group>
  );
}

/** One thing to open or do. */
export function Item({
  icon: Icon,
  keys,
  mark,
  value,
  keywords,
  onSelect,
  children,
}: {
  readonly icon: Icon;
  /** Replaces the icon. */
  readonly mark?: ReactNode;
  readonly keys?: string | undefined;
  readonly value?: string;
  /** What it is found by, too. */
  readonly keywords?: readonly string[];
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  const sort = use(SortContext);
  return (
    <Command.Item
      {...(value !== undefined && { value })}
      {...(keywords !== undefined && { keywords: [...keywords] })}
      onSelect={onSelect}
      className="flex h-9 items-center gap-2.5 rounded-control px-3 data-[selected=true]:bg-raised touch:h-11"
    >
      {mark === undefined || mark === false ? <Icon className="text-ink-3" /> : mark}
      <span className="flex-1 truncate">{children}</span>
      {sort !== "" && (
        <span aria-hidden="true" className="text-small text-ink-3">
          {sort}
        </span>
      )}
      {keys !== undefined && <kbd className="font-sans text-small text-ink-3 touch:hidden">{keys}</kbd>}
    </Command.Item>
  );
}
