import { Suspense, lazy, useState } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { loadPart } from "../../lib/load-part.ts";
import { parseSearch, stringifySearch } from "../../lib/search.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { CloseIcon, PlusIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../ui/menu.tsx";
import { FilterButton } from "../../ui/filters.tsx";
import { showToast, undoWith } from "../../ui/messages.ts";
import { isFiltered, readRunsSearch } from "./search.ts";
import type { RunsSearch } from "./search.ts";

const NameFilter = lazy(() => loadPart(() => import("./name-filter.tsx")));

/** Filters under names, kept by this browser for each workspace. */
interface SavedFilter {
  readonly name: string;
  /** As in the URL. */
  readonly query: string;
}

/** Filters that the person has given names: opens them, saves the present ones, removes the one that is open. */
export function SavedFilters({ search }: { readonly search: RunsSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs" });
  const { saved, store } = useSavedFilters();
  const [isNaming, setNaming] = useState(false);
  const query = stringifySearch({ ...search });
  const current = saved.find((each) => each.query === query);
  return (
    <>
      <Menu align="start" trigger={<FilterButton label="Saved" value={current?.name ?? ""} />}>
        {saved.length === 0 && <MenuLabel>No saved filters</MenuLabel>}
        {saved.map((each) => (
          <MenuItem key={each.name} onSelect={() => void navigate({ search: readRunsSearch(parseSearch(each.query)) })}>
            <Bdi>{each.name}</Bdi>
          </MenuItem>
        ))}
        <MenuSeparator />
        {current === undefined ? (
          <MenuItem icon={PlusIcon} isDisabled={!isFiltered(search)} onSelect={() => setNaming(true)}>
            Save these filters
          </MenuItem>
        ) : (
          <MenuItem
            icon={CloseIcon}
            onSelect={() => {
              store(saved.filter((each) => each !== current));
              showToast(
                `“${current.name}” removed.`,
                undoWith(() => store(saved)),
              );
            }}
          >
            Remove “{current.name}”
          </MenuItem>
        )}
      </Menu>
      {isNaming && (
        <Suspense>
          <NameFilter
            onClose={() => setNaming(false)}
            onSave={(name) => store([...saved.filter((each) => each.name !== name), { name, query }])}
          />
        </Suspense>
      )}
    </>
  );
}

function useSavedFilters() {
  const key = `muster-runs-filters-${useWorkspace().id}`;
  const [saved, setSaved] = useState(() => readSaved(key));
  return {
    saved,
    store(next: readonly SavedFilter[]) {
      setSaved(next);
      localStorage.setItem(key, JSON.stringify(next));
    },
  };
}

function readSaved(key: string): readonly SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isSaved) : [];
  } catch {
    // Another program, or an earlier version, has written something else.
    return [];
  }
}

function isSaved(value: unknown): value is SavedFilter {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "query" in value &&
    typeof value.query === "string"
  );
}
