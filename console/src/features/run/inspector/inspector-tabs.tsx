import { useWorkspace } from "../../../api/use-session.ts";
import { Tabs } from "../../../ui/tabs.tsx";
import type { RunHead } from "../records.ts";
import type { InspectorTab, RunSearch } from "../search.ts";

/** One tab of the inspector. */
export interface InspectorTabLabel {
  readonly key: InspectorTab;
  readonly label: string;
}

/** The tabs of the inspector; they stay in view while its content scrolls. */
export function InspectorTabs({
  label,
  head,
  search,
  tabs,
  current,
}: {
  readonly label: string;
  readonly head: RunHead;
  readonly search: RunSearch;
  readonly tabs: readonly InspectorTabLabel[];
  readonly current: InspectorTab;
}) {
  const { slug } = useWorkspace();
  return (
    <div className="sticky top-0 z-10 border-b border-line bg-canvas px-6 max-sm:px-4">
      <Tabs
        label={label}
        current={current}
        tabs={tabs.map((tab) => ({
          ...tab,
          link: {
            to: "/w/$workspace/runs/$id",
            params: { workspace: slug, id: head.id },
            search: { ...search, tab: tab.key },
            replace: true,
          },
        }))}
      />
    </div>
  );
}
