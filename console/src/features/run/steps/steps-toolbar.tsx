import { useRef } from "react";
import { useShortcuts } from "../../../lib/shortcuts.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Input } from "../../../ui/field.tsx";
import { Select } from "../../../ui/fields.tsx";
import { MinusIcon, PlusIcon } from "../../../ui/icons.ts";
import { oneOf } from "../../../lib/search.ts";
import { FILTER_LABELS } from "../model/filter.ts";
import { STEP_FILTERS } from "../search.ts";
import { FULL_ZOOM, zoomBy } from "../model/time-axis.ts";
import type { Zoom } from "../model/time-axis.ts";
import type { StepQuestion } from "./use-step-tree.ts";

/** What is asked of the steps, and the zoom of their axis. */
export function StepsToolbar({
  question,
  onAsk,
  zoom,
  onZoom,
  hasAxis,
  count,
}: {
  readonly question: StepQuestion;
  readonly onAsk: (question: StepQuestion) => void;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly hasAxis: boolean;
  /** The number of steps, as text. */
  readonly count: string;
}) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({
    "/": () => field.current?.focus(),
    "+": () => onZoom(zoomBy(zoom, 2)),
    "-": () => onZoom(zoomBy(zoom, 1 / 2)),
    "0": () => onZoom(FULL_ZOOM),
  });
  return (
    <div className="flex items-center gap-2 px-page py-2 max-sm:flex-wrap print:hidden">
      <Input
        ref={field}
        type="search"
        aria-label="Find steps"
        placeholder="Find steps"
        className="max-w-52 min-w-24 flex-1"
        value={question.text}
        onChange={({ target }) => onAsk({ ...question, text: target.value })}
      />
      <Select
        aria-label="Show"
        value={question.filter ?? ""}
        onChange={({ target }) => onAsk({ ...question, filter: oneOf(target.value, STEP_FILTERS) })}
      >
        <option value="">All steps</option>
        {STEP_FILTERS.map((filter) => (
          <option key={filter} value={filter}>
            {FILTER_LABELS[filter]}
          </option>
        ))}
      </Select>
      <span role="status" className="truncate text-small text-ink-3">
        {count}
      </span>
      {hasAxis && <ZoomButtons zoom={zoom} onZoom={onZoom} />}
    </div>
  );
}

function ZoomButtons({ zoom, onZoom }: { readonly zoom: Zoom; readonly onZoom: (zoom: Zoom) => void }) {
  return (
    <span className="ms-auto flex items-center max-sm:hidden">
      {zoom.to - zoom.from < 1 && (
        <Button size="small" look="quiet" onClick={() => onZoom(FULL_ZOOM)}>
          Whole run
        </Button>
      )}
      <IconButton label="Zoom out (-)" icon={MinusIcon} onClick={() => onZoom(zoomBy(zoom, 1 / 2))} />
      <IconButton label="Zoom in (+)" icon={PlusIcon} onClick={() => onZoom(zoomBy(zoom, 2))} />
    </span>
  );
}
