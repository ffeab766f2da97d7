import type { StreamEvent } from "#client/index.ts";
import { formatCost, formatDuration, formatTokens } from "../terminal/format.ts";
import type { Output, Span } from "../terminal/output.ts";
import { oneLine, safeText } from "../terminal/safe-text.ts";
import type { AnswerPrompt } from "./answer-in-place.ts";
import { createRunSteps } from "./run-steps.ts";
import type { RunStep } from "./run-steps.ts";
import { stepTree } from "./step-tree.ts";
import { pauseNote } from "./pause-note.ts";
import type { View } from "./watch-to-end.ts";

const TICK_MS = 250;
const NAME_SHOWN = 60;
const MARKS = { running: "▶", done: "✓", failed: "✗", cancelled: "■" } as const satisfies Record<
  RunStep["state"],
  string
>;
const STYLES = { running: "cyan", done: "green", failed: "red", cancelled: "dim" } as const satisfies Record<
  RunStep["state"],
  string
>;

/**
 * Creates a view of a run for people: on a terminal, a live tree of its steps with the totals below; elsewhere, a line
 * at the start and the end of each step. The run's output follows.
 */
export function createRunView(out: Output, prompt: AnswerPrompt): View {
  const steps = createRunSteps();
  const begun = Date.now();
  let isQueued = true;

  function draw(): void {
    if (!out.isLive || prompt.isAsking) return;
    const last = isQueued ? "queued" : totals(steps.all, begun);
    out.drawing([...treeLines(steps.all), [[last, "dim"]]]);
  }

  const timer = out.isLive ? setInterval(draw, TICK_MS).unref() : undefined;

  function finish(): void {
    clearInterval(timer);
    draw();
    out.keepDrawing();
  }

  function take(event: StreamEvent): void {
    isQueued = false;
    const step = steps.take(event);
    if (step !== undefined && !out.isLive) out.line(stepLine(step));
    switch (event.type) {
      case "INTERACTION_REQUEST":
        draw();
        return out.keepDrawing();
      case "CUSTOM": {
        const note = pauseNote(event);
        return note === undefined ? undefined : out.note(note, "yellow");
      }
      case "INTERACTION_TIMEOUT":
        return out.note("The question was not answered in time.", "yellow");
      case "INTERACTION_RESPONSE":
        return out.note("The question was answered.", "dim");
      case "RUN_FINISHED":
        finish();
        out.text(event.result ?? "");
        return out.endLine();
      case "RUN_ERROR":
        finish();
        return out.note(safeText(event.message), "red");
      default:
        if (step !== undefined) draw();
    }
  }

  return {
    show(event) {
      take(event);
      prompt.take(event);
    },
    close() {
      clearInterval(timer);
      prompt.close();
    },
  };
}

function treeLines(steps: readonly RunStep[]): readonly (readonly Span[])[] {
  return stepTree(steps).map(({ branch, step, name }) => {
    const title = oneLine(name, NAME_SHOWN);
    if (step === undefined) return [[`${branch}${title}`]];
    return [[branch], [MARKS[step.state], STYLES[step.state]], [` ${title}`], [figures(step), "dim"]];
  });
}

function stepLine(step: RunStep): string {
  const { state, name } = step;
  return `${MARKS[state]} ${oneLine(name, NAME_SHOWN)}${state === "running" ? "" : figures(step)}`;
}

function figures({ state, startedAt, endedAt, tokens, costUsd }: RunStep): string {
  const took = Math.max(0, (endedAt ?? Date.now()) - startedAt);
  const parts = [...(state === "cancelled" ? ["cancelled"] : []), formatDuration(took)];
  if (tokens !== undefined) parts.push(`${formatTokens(tokens)} tokens`);
  if (costUsd !== undefined) parts.push(formatCost(costUsd));
  return ` · ${parts.join(" · ")}`;
}

function totals(steps: readonly RunStep[], begun: number): string {
  const ended = steps.filter(({ state }) => state !== "running").length;
  const tokens = steps.reduce((sum, step) => sum + (step.tokens ?? 0), 0);
  const costUsd = steps.reduce((sum, step) => sum + (step.costUsd ?? 0), 0);
  const took = Date.now() - Math.min(begun, ...steps.map(({ startedAt }) => startedAt));
  return `${ended} of ${steps.length} steps · ${formatTokens(tokens)} tokens · ${formatCost(costUsd)} · ${formatDuration(took)}`;
}
