import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useShortcuts } from "../lib/shortcuts.ts";
import { Input } from "./field.tsx";
import { ChevronDownIcon, CloseIcon, SearchIcon } from "./icons.ts";
import { Menu, MenuChecks, MenuChoice } from "./menu.tsx";
import { VanishingButton } from "./vanishing-button.tsx";

const TYPING_MS = 250;

/** A text that narrows a list, applied when typing pauses; `/` focuses it. */
export function TextFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  /** Gets the text without blanks around it; empty for none. */
  readonly onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [applied, setApplied] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The URL changed elsewhere: back, or Clear filters. What was applied may arrive while the person types on.
  if (known !== value) {
    setKnown(value);
    if (value !== applied) {
      setApplied(value);
      setText(value);
    }
  }
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (text.trim() === value) return;
    const { pathname } = location;
    const timer = setTimeout(() => {
      // The person has gone on to another screen, which may still load: a change of this one would lead back.
      if (location.pathname !== pathname) return;
      setApplied(text.trim());
      change.current(text.trim());
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  useShortcuts({ "/": () => input.current?.focus() });
  return (
    <span className="relative block w-52 max-sm:w-full">
      <SearchIcon className="pointer-events-none absolute start-2.5 top-1/2 -translate-y-1/2 text-ink-3" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        className="ps-8"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // Chromium would empty the field, and with it the filter.
          event.preventDefault();
          input.current?.blur();
        }}
      />
    </span>
  );
}

/** Opens the menu of a filter, and shows the choice; `value` is empty for none. */
export function FilterButton({ label, value, ...trigger }: { readonly label: string; readonly value: string }) {
  return (
    <button
      type="button"
      {...trigger}
      className={`button h-control max-w-56 px-2.5 hover:bg-raised max-sm:px-2 ${value === "" ? "border-line text-ink-2" : "border-accent/40 bg-accent-soft text-ink"}`}
    >
      <span className="truncate">{value === "" ? label : `${label}: ${value}`}</span>
      <ChevronDownIcon className="text-ink-3" />
    </button>
  );
}

/** Takes all filters of a list away. */
export function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  return (
    <VanishingButton look="quiet" size="small" icon={CloseIcon} onClick={onClear}>
      <span className="max-sm:sr-only">Clear filters</span>
    </VanishingButton>
  );
}

/** The line of filters above a list. */
export function FilterBar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  // Where there is a text to filter by, it takes the key.
  useShortcuts({ "/": () => bar.current?.querySelector("button")?.focus() });
  return (
    <div ref={bar} role="search" aria-label={label} className="bar flex-wrap border-b empty:hidden max-sm:gap-1.5">
      {children}
    </div>
  );
}

/** A filter of which one value is chosen, or none. */
export function FilterChoice<T extends string>({
  label,
  all,
  value,
  options,
  wordsOf = String,
  drawn = wordsOf,
  onChange,
}: {
  readonly label: string;
  /** The label of no choice, such as `Any state`. */
  readonly all: string;
  readonly value: T | undefined;
  readonly options: readonly T[];
  /** What a value is called. */
  readonly wordsOf?: (value: T) => string;
  /** How it looks in the menu. */
  readonly drawn?: (value: T) => ReactNode;
  readonly onChange: (value: T | undefined) => void;
}) {
  return (
    <Menu align="start" trigger={<FilterButton label={label} value={value === undefined ? "" : wordsOf(value)} />}>
      <MenuChoice<string>
        value={value ?? ""}
        options={[{ value: "", label: all }, ...options.map((each) => ({ value: each, label: drawn(each) }))]}
        onChange={(picked) => onChange(options.find((each) => each === picked))}
      />
    </Menu>
  );
}

/** A filter of which several values are chosen, or none. */
export function FilterChecks<T extends string>({
  label,
  values: chosen,
  options,
  wordsOf = String,
  drawn = wordsOf,
  onChange,
}: {
  readonly label: string;
  readonly values: readonly T[] | undefined;
  readonly options: readonly T[];
  /** What a value is called. */
  readonly wordsOf?: (value: T) => string;
  /** How it looks in the menu. */
  readonly drawn?: (value: T) => ReactNode;
  readonly onChange: (values: readonly T[] | undefined) => void;
}) {
  const values = chosen ?? [];
  return (
    <Menu align="start" trigger={<FilterButton label={label} value={values.map(wordsOf).join(", ")} />}>
      <MenuChecks
        values={values}
        options={options.map((value) => ({ value, label: drawn(value) }))}
        onToggle={(value) => onChange(toggled(values, value))}
      />
    </Menu>
  );
}

/** The values without one of them, or with it; undefined for none. */
export function toggled<T>(values: readonly T[], value: T): readonly T[] | undefined {
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return next.length === 0 ? undefined : next;
}
