import { useId } from "react";
import type { ReactNode } from "react";

/** A part of a screen with its heading; its actions are at the end of the heading's line. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 border-b border-line">
        <h2 id={id} className="text-h3 font-semibold">
          {title}
        </h2>
        {aside !== undefined && aside !== false && (
          <div className="flex items-center gap-2 py-1.5 text-small text-ink-2">{aside}</div>
        )}
      </div>
      {children}
    </section>
  );
}

/** A row of a {@link Section}: what it is, and what of it counts at the end. */
export function SectionRow({ children, end }: { readonly children: ReactNode; readonly end?: ReactNode }) {
  return (
    <li className="relative flex min-h-10 items-center gap-3 border-b border-line py-1.5 max-xs:stacked touch:min-h-11">
      <div className="flex min-w-0 flex-1 items-center gap-2 max-xs:w-full max-xs:flex-wrap">{children}</div>
      {end !== undefined && <div className="shrink-0 text-end text-ink-2 max-xs:text-start">{end}</div>}
    </li>
  );
}

/** Shows that the section is empty. */
export function SectionEmpty({ children }: { readonly children: ReactNode }) {
  return <p className="py-3 text-ink-3">{children}</p>;
}
