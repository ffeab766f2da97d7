import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { textScale } from "../lib/text-scale.ts";
import type { PlotData, PlotProps } from "./plot.tsx";

/** In pixels at the usual size of text, as the others here. */
const HEIGHT = 160;
const AXIS_INK = "--color-ink-3";
const GRID_INK = "--color-line";
/** Room for the values at the side, and for the name of a day. */
const VALUES_WIDTH = 52;
const LABEL_WIDTH = 56;
const DAYS_HEIGHT = 24;
const FONT_SIZE = 11;
const BAR_WIDTH = 28;

/** The data of a plot, and the callback for the bar under the pointer. */
interface Drawing extends Pick<PlotProps, "formatStart" | "formatValue"> {
  /** {@link PlotData} as JSON: the same text is drawn once. */
  readonly text: string;
  readonly onPoint: (at: number | null) => void;
}

/** The drawing of a plot: stacked bars. Drawn again when the values, the theme or the width change. */
export default function PlotCanvas({ text, formatStart, formatValue, onPoint }: Drawing) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const drawing = { text, formatStart, formatValue, onPoint };
    let chart = draw(place, drawing);
    const again = () => {
      chart.destroy();
      chart = draw(place, drawing);
    };
    const width = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT * textScale() }));
    width.observe(place);
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", again);
    return () => {
      width.disconnect();
      theme.disconnect();
      system.removeEventListener("change", again);
      chart.destroy();
    };
  }, [text, formatStart, formatValue, onPoint]);
  return <div ref={box} style={{ height: `${HEIGHT / 16}rem` }} />;
}

function draw(place: HTMLDivElement, { text, formatStart, formatValue, onPoint }: Drawing): uPlot {
  const plot: PlotData = JSON.parse(text);
  const stacked = stack(plot.series.map(({ values }) => values));
  const { starts } = plot;
  // As many names of days as have room, each below its bar.
  const scale = textScale();
  const room = Math.max(LABEL_WIDTH, place.clientWidth / scale - VALUES_WIDTH);
  const every = Math.ceil((starts.length * LABEL_WIDTH) / room);
  const bars = uPlot.paths.bars?.({ size: [0.7, BAR_WIDTH * scale], radius: 0.1 });
  const look = { width: 0, points: { show: false }, ...(bars && { paths: bars }) };
  // The highest first: lower ones are drawn over it.
  const series = plot.series.map(({ ink }) => ({ ...look, fill: inkOf(place, ink, "none") })).toReversed();
  const axis = {
    stroke: inkOf(place, AXIS_INK),
    font: `${FONT_SIZE * scale}px Inter, system-ui, sans-serif`,
    ticks: { show: false },
  };
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT * scale,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.5, starts.length - 0.5] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          size: DAYS_HEIGHT * scale,
          grid: { show: false },
          splits: () => starts.map((_, at) => at).filter((at) => at % every === 0),
          values: (_, splits) => splits.map((at) => formatStart(new Date(starts[at] ?? 0))),
        },
        {
          ...axis,
          size: VALUES_WIDTH * scale,
          grid: { stroke: inkOf(place, GRID_INK), width: 1 },
          values: (_, splits) => splits.map((value) => formatValue(value)),
        },
      ],
      series: [{}, ...series],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [starts.map((_, at) => at), ...stacked.toReversed()],
    place,
  );
}

/** Each row with the ones before it added. */
function stack(rows: readonly (readonly number[])[]): number[][] {
  const sums: number[][] = [];
  for (const row of rows) sums.push(row.map((value, at) => value + (sums.at(-1)?.[at] ?? 0)));
  return sums;
}

/** A colour of the theme, as a canvas needs it. */
function inkOf(place: HTMLElement, variable: string, inForcedColors: "auto" | "none" = "auto"): string {
  const probe = place.ownerDocument.createElement("span");
  probe.style.color = `var(${variable})`;
  probe.style.setProperty("forced-color-adjust", inForcedColors);
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
