import { Suspense, lazy, useState } from "react";
import { loadPart } from "../lib/load-part.ts";
import { ensureValidLanguage } from "../lib/valid-language.ts";
import { Bdi } from "./bdi.tsx";

const PlotCanvas = lazy(() => {
  ensureValidLanguage();
  return loadPart(() => import("./plot-canvas.tsx"));
});

/** The colours of a plot's rows, from the bottom; what is left of many rows has the last one. */
export const PLOT_INKS = [
  "--color-plot-1",
  "--color-plot-2",
  "--color-plot-3",
  "--color-plot-4",
  "--color-plot-5",
] as const;

/** A row of a {@link Plot}. */
export interface PlotSeries {
  readonly label: string;
  readonly values: readonly number[];
  /** The variable of its colour, as in {@link PLOT_INKS}. */
  readonly ink: string;
}

/** What a {@link Plot} shows. */
export interface PlotData {
  /** When each bar begins, ISO 8601. */
  readonly starts: readonly string[];
  /** From the bottom. */
  readonly series: readonly PlotSeries[];
}

/** What {@link Plot} takes; the two functions must stay the same ones. */
export interface PlotProps extends PlotData {
  /** What it shows, as in `Cost by day`. */
  readonly label: string;
  readonly formatStart: (start: Date) => string;
  readonly formatValue: (value: number) => string;
}

/** Stacked bars over time, with the values of the bar under the pointer, and all of them as a table. */
export function Plot(props: PlotProps) {
  const { label, starts, series, formatStart, formatValue } = props;
  const [at, setAt] = useState<number | null>(null);
  const text = JSON.stringify({ starts, series } satisfies PlotData);
  const start = at === null ? undefined : starts[at];
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="font-medium">{label}</span>
        <span className="flex flex-wrap gap-x-3 text-small text-ink-2">
          {start !== undefined && <span className="font-medium text-ink">{formatStart(new Date(start))}</span>}
          {series.map(({ label: name, ink, values }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span
                aria-hidden="true"
                className="size-2 shrink-0 rounded-full forced-color-adjust-none"
                style={{ background: `var(${ink})` }}
              />
              <Bdi>{name}</Bdi>
              {at !== null && start !== undefined && <span className="text-ink">{formatValue(values[at] ?? 0)}</span>}
            </span>
          ))}
        </span>
      </figcaption>
      <div aria-hidden="true" className="min-h-40">
        <Suspense>
          <PlotCanvas text={text} formatStart={formatStart} formatValue={formatValue} onPoint={setAt} />
        </Suspense>
      </div>
      <PlotTable {...props} />
    </figure>
  );
}

function PlotTable({ label, starts, series, formatStart, formatValue }: PlotProps) {
  return (
    <details className="text-small text-ink-2">
      <summary className="w-fit cursor-pointer py-1">Show as table</summary>
      <div className="max-h-64 overflow-auto" tabIndex={0} role="region" aria-label={`${label}, table`}>
        <table className="w-full" aria-label={label}>
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="py-1 text-start font-medium">
                Start
              </th>
              {series.map(({ label: name }) => (
                <th key={name} scope="col" className="py-1 ps-4 text-end font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {starts.map((start, at) => (
              <tr key={start} className="border-b border-line">
                <th scope="row" className="py-1 text-start font-normal">
                  {formatStart(new Date(start))}
                </th>
                {series.map(({ label: name, values }) => (
                  <td key={name} className="py-1 ps-4 text-end">
                    {formatValue(values[at] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
