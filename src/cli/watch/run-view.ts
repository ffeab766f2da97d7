import { formatCost, formatDuration } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";
import { oneLine, safeText } from "../terminal/safe-text.ts";
import { describeQuestion, question } from "./question.ts";
import { createRunSteps } from "./run-steps.ts";
import type { RunStep } from "./run-steps.ts";
import type { View } from "./watch-to-end.ts";
import type { WatchEvent } from "./watch-event.ts";

const TICK_MS = 500;
const NAME_SHOWN = 60;
const MARKS = { running: "▶", done: "✓", failed: "✗" } as const satisfies Record<RunStep["state"], string>;
const STYLES = { running: "cyan", done: "green", failed: "red" } as const satisfies Record<RunStep["state"], string>;

/** Shows a run. */
export interface RunView {
  readonly show: View;
  /** Stops redrawing. */
  close(): void;
}

/**
 * A view of a run for people: on a terminal a tree of its steps that is drawn again as they continue, elsewhere a line
 * when a step begins and one when it ends. The run's output follows.
 */
export function createRunView(out: Output): RunView {
  const steps = createRunSteps();
  const draw = () => out.drawing(treeLines(steps.all, (style, text) => out.styled(style, text)));
  const timer = out.isLive ? setInterval(draw, TICK_MS) : undefined;

  function close(): void {
    clearInterval(timer);
  }

  function finish(): void {
    close();
    if (out.isLive) draw();
    out.keepDrawing();
  }

  function ask(event: WatchEvent): void {
    const asked = question.safeParse(event);
    if (!asked.success) return;
    const asking = { what: "run", id: event.threadId ?? "" } as const;
    for (const line of describeQuestion(asking, asked.data)) out.note(line, "yellow");
  }

  function show(event: WatchEvent): void {
    const step = steps.take(event);
    if (step !== undefined && out.isLive) draw();
    else if (step !== undefined) out.line(stepLine(step));
    switch (event.type) {
      case "RUN_STATUS":
        return out.note(`… ${event.status ?? ""}`, "dim");
      case "INTERACTION_REQUEST":
        return ask(event);
      case "INTERACTION_RESPONSE":
        return out.note("The question was answered.", "dim");
      case "RUN_FINISHED":
        finish();
        out.text(event.result ?? "");
        return out.endLine();
      case "RUN_ERROR":
        finish();
        return out.note(safeText(event.message ?? "The run failed."), "red");
      default:
        return undefined;
    }
  }

  return { show, close };
}

type Paint = (style: (typeof STYLES)[RunStep["state"]] | "dim", text: string) => string;

function treeLines(steps: readonly RunStep[], paint: Paint): string[] {
  return steps.map((step, index) => {
    const branch = index === steps.length - 1 ? "└─" : "├─";
    return `${branch} ${paint(STYLES[step.state], MARKS[step.state])} ${nameOf(step)}${paint("dim", figures(step))}`;
  });
}

function stepLine(step: RunStep): string {
  const { state } = step;
  return `${MARKS[state]} ${nameOf(step)}${state === "running" ? "" : figures(step)}`;
}

function nameOf({ name }: RunStep): string {
  return oneLine(name, NAME_SHOWN);
}

function figures({ startedAt, endedAt, tokens, costUsd }: RunStep): string {
  const took = Math.max(0, (endedAt ?? Date.now()) - startedAt);
  const parts = [formatDuration(took)];
  if (tokens !== undefined) parts.push(`${tokens} tokens`);
  if (costUsd !== undefined) parts.push(formatCost(costUsd));
  return ` · ${parts.join(" · ")}`;
}
