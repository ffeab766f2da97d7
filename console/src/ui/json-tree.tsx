import { useState } from "react";
import { count, plural } from "../lib/format.ts";
import { Bdi } from "./bdi.tsx";
import { Button } from "./button.tsx";
import { ChevronRightIcon } from "./icons.ts";

/** So many entries of a list or an object are drawn at first, and more at a time. */
const PAGE = 100;
/** So much of a text is drawn at first. */
const MAX_TEXT = 2_000;

/** JSON as a tree that opens part by part. Only what is open is in the document, so it may be megabytes. */
export function JsonTree({ value, label }: { readonly value: object; readonly label: string }) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      dir="ltr"
      className="max-h-[60vh] overflow-auto border-t border-line bg-canvas px-3 py-2 font-mono text-mono last:rounded-b-control"
    >
      <Entries value={value} />
    </div>
  );
}

function Entries({ value }: { readonly value: object }) {
  const [shown, setShown] = useState(PAGE);
  const keys = Object.keys(value);
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (keys.length === 0) return <p className="text-ink-3">{JSON.stringify(value)}</p>;
  return (
    <ul>
      {keys.slice(0, shown).map((key, index) => (
        <li key={key}>
          <Entry name={key} value={values[index]} />
        </li>
      ))}
      {keys.length > shown && (
        <li>
          <Button look="quiet" size="small" onClick={() => setShown(shown + PAGE)}>
            Show more of {count(keys.length)}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Entry({ name, value }: { readonly name: string; readonly value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    return (
      <p className="ps-5 wrap-anywhere">
        <Name>{name}</Name> <Leaf value={value} />
      </p>
    );
  }
  const { length } = Object.keys(value);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex cursor-default list-none items-center gap-1 rounded-[4px] hover:bg-raised">
        <ChevronRightIcon className={`transition-transform ${isOpen ? "rotate-90" : ""}`} />
        <Name>{name}</Name>
        <span className="text-ink-3">{plural(length, Array.isArray(value) ? "item" : "field")}</span>
      </summary>
      {isOpen && (
        <div className="ms-2 border-s border-line ps-2">
          <Entries value={value} />
        </div>
      )}
    </details>
  );
}

function Name({ children }: { readonly children: string }) {
  return <Bdi className="text-ink-2">{`${children}:`}</Bdi>;
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== "string") return <span className="text-accent">{JSON.stringify(value)}</span>;
  const isCut = !isWhole && value.length > MAX_TEXT;
  return (
    <>
      <Bdi className="whitespace-pre-wrap">{isCut ? value.slice(0, MAX_TEXT) : value}</Bdi>
      {isCut && (
        <Button look="quiet" size="small" onClick={() => setWhole(true)}>
          Show all {count(value.length)} characters
        </Button>
      )}
    </>
  );
}
