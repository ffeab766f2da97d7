import { useRouter } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { CopyButton } from "../../../ui/copy.tsx";
import { LinkIcon } from "../../../ui/icons.ts";
import { Tabs } from "../../../ui/tabs.tsx";
import type { RunHead } from "../../records/run-head.ts";
import type { InspectorTab, RunSearch } from "../search.ts";

/** One tab of the inspector. */
export interface InspectorTabLabel {
  readonly key: InspectorTab;
  readonly label: string;
}

/** The tabs of the inspector, and the link to the open one; they stay in view while its content scrolls. */
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
  const router = useRouter();
  const to = "/w/$workspace/runs/$id";
  const params = { workspace: slug, id: head.id };
  // The link names the attempt: without it, a later one would open.
  const { href } = router.buildLocation({
    to,
    params,
    search: { ...search, attempt: head.attempt, tab: current, fork: undefined },
  });
  return (
    <div className="sticky top-0 z-10 flex border-b border-line bg-canvas ps-page pe-4 max-sm:pe-2">
      <div className="min-w-0 flex-1">
        <Tabs
          isInset
          label={label}
          current={current}
          tabs={tabs.map((tab) => ({
            ...tab,
            link: { to, params, search: { ...search, tab: tab.key }, replace: true },
          }))}
        />
      </div>
      <CopyButton
        text={new URL(href, location.origin).href}
        label={`Copy link to this ${label.toLowerCase()}`}
        icon={LinkIcon}
        className="self-center"
      />
    </div>
  );
}
