import type { ReactNode } from "react";
import { ActiveChip } from "../../ui/active-chip.tsx";
import { Page } from "../../ui/page.tsx";

interface PlannedPageProps {
  readonly of: { readonly name: string; readonly is_active: boolean };
  readonly above: ReactNode;
  readonly actions: ReactNode;
  readonly facts: ReactNode;
  /** What is beside the facts. */
  readonly aside: { readonly title: string; readonly content: ReactNode };
  readonly log: { readonly title: string; readonly list: ReactNode };
  /** The form, while it is open. */
  readonly form: ReactNode;
}

/** The page of a schedule or a trigger: its facts, what it waits for, and its log. */
export function PlannedPage({ of, above, actions, facts, aside, log, form }: PlannedPageProps) {
  return (
    <Page title={of.name} above={above} beside={<ActiveChip isActive={of.is_active} />} actions={actions}>
      <div className="grid grid-cols-2 gap-8 px-page py-4 max-lg:grid-cols-1">
        {facts}
        <section aria-labelledby="aside" className="min-w-0">
          <h2 id="aside" className="pb-1 text-h3 font-semibold">
            {aside.title}
          </h2>
          {aside.content}
        </section>
      </div>
      <h2 className="px-page pt-2 pb-3 text-h2 font-semibold">{log.title}</h2>
      <div className="border-t border-line">{log.list}</div>
      {form}
    </Page>
  );
}
