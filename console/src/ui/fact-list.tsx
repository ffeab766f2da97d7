import type { ReactNode } from "react";
import { dateWithMs } from "../lib/format.ts";
import { CopyButton } from "./copy.tsx";

/** Names and values below each other. */
export function FactList({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-6 gap-y-1.5 max-xs:grid-cols-1">
      {children}
    </dl>
  );
}

/** One of them; left out without a value. */
export function FactRow({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === null || children === undefined || children === false) return null;
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** An id, in full, to copy. */
export function IdFact({ name, id }: { readonly name: string; readonly id: string }) {
  return (
    <FactRow name={name}>
      <span className="inline-flex max-w-full items-center gap-1">
        <span className="truncate font-mono text-mono">{id}</span>
        <CopyButton text={id} label={`Copy ${name.toLowerCase()}`} className="-my-1 touch:-my-3" />
      </span>
    </FactRow>
  );
}

/** A time to the millisecond. */
export function ExactTime({ at }: { readonly at: number }) {
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={time.toISOString()}>
      {dateWithMs(time)}
    </time>
  );
}
