import { styleText } from "node:util";
import { prefersNoColor } from "../service/settings.ts";
import { clip, widthOf } from "./clip.ts";
import { safeText } from "./safe-text.ts";
import type { Style } from "./style.ts";
import { tableLines } from "./table.ts";
import { wrapProse } from "./wrap.ts";

const DEFAULT_ROWS = 24;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = "\r\u001B[K";

/** A piece of a drawn line: its text, and how it is set off. */
export type Span = readonly [text: string, style?: Style];

/** Where a command writes: data on standard output, everything said about it on standard error. */
export interface Output {
  /** A line of data. */
  line(text: string): void;
  /** A table of data, fitted to the terminal. */
  table(headings: readonly string[], rows: readonly (readonly string[])[]): void;
  /** One JSON document on one line. */
  json(value: unknown): void;
  /** A piece of data without an end of line, as it arrived. */
  text(piece: string): void;
  /** Ends the line that pieces have begun. */
  endLine(): void;
  /** Whether standard output is a terminal, on which lines can be drawn again. */
  readonly isLive: boolean;
  /** On a terminal: draws lines in place of those of the last drawing; as many of the last ones as fit, cut to its width. */
  drawing(lines: readonly (readonly Span[])[]): void;
  /** Lets the drawing stand; what comes next is written below it. */
  keepDrawing(): void;
  /** A line for the person who watches; on a terminal broken between words. */
  note(text: string, style?: Style): void;
  /** On a terminal: the last line, which says what is in progress, until something else is written; undefined removes it. */
  status(text: string | undefined): void;
  /** Sets off a text on standard output. */
  styled(style: Style, text: string): string;
}

/** Output to this process's streams; control characters are taken out where a terminal would obey them. */
export function createOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  let withinLine = false;
  let hasStatus = false;
  const drawing = createDrawing(stdout);

  function endLine(): void {
    if (withinLine) stdout.write("\n");
    withinLine = false;
  }

  function clearStatus(): void {
    if (hasStatus) stderr.write(CLEAR_LINE);
    hasStatus = false;
  }

  function line(text: string): void {
    clearStatus();
    endLine();
    stdout.write(`${text}\n`);
  }

  return {
    line,
    table(headings, rows) {
      const width = stdout.isTTY ? columnsOf(stdout) : undefined;
      const layout = { width, paint: (style: Style, text: string) => paint(stdout, style, text) };
      for (const text of tableLines(headings, rows, layout)) line(text);
    },
    json(value) {
      stdout.write(`${JSON.stringify(value)}\n`);
    },
    text(piece) {
      if (piece === "") return;
      clearStatus();
      stdout.write(stdout.isTTY ? safeText(piece) : piece);
      withinLine = !piece.endsWith("\n");
    },
    endLine,
    isLive: stdout.isTTY,
    drawing: drawing.draw,
    keepDrawing: drawing.keep,
    note(text, style) {
      clearStatus();
      drawing.keep();
      // On one screen a note would continue the data's line; in a file the data stays as it is.
      if (withinLine && stdout.isTTY && stderr.isTTY) {
        stderr.write("\n");
        withinLine = false;
      }
      const wrapped = stderr.isTTY ? wrapProse(text, columnsOf(stderr)) : text;
      stderr.write(`${style === undefined ? wrapped : paint(stderr, style, wrapped)}\n`);
    },
    status(text) {
      if (!stderr.isTTY || withinLine) return;
      if (text === undefined) return clearStatus();
      stderr.write(CLEAR_LINE + paint(stderr, "dim", clip(text, columnsOf(stdout) - 1)));
      hasStatus = true;
    },
    styled: (style, text) => paint(stdout, style, text),
  };
}

/** Whether a stream shows colours: a terminal whose user did not ask for none. */
export function supportsColor(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !prefersNoColor();
}

function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || DEFAULT_COLUMNS;
}

/** Lines of a terminal that are drawn again in their place. */
function createDrawing(stdout: NodeJS.WriteStream) {
  /** Lines of the last drawing that can still be drawn again. */
  let drawn = 0;
  return {
    draw(lines: readonly (readonly Span[])[]): void {
      const shown = lines.slice(-Math.max(1, (stdout.rows || DEFAULT_ROWS) - 1));
      const width = columnsOf(stdout) - 1;
      const texts = shown.map((spans) => `${drawLine(spans, width, (...span) => paint(stdout, ...span))}\n`);
      stdout.write(`${drawn > 0 ? `\u001B[${drawn}F\u001B[0J` : ""}${texts.join("")}`);
      drawn = shown.length;
    },
    keep(): void {
      drawn = 0;
    },
  };
}

/** A line that would be wider than the terminal would wrap, and could not be drawn again. */
function drawLine(spans: readonly Span[], width: number, paintSpan: (style: Style, text: string) => string): string {
  let left = width;
  return spans
    .map(([text, style]) => {
      if (left <= 0) return "";
      const shown = clip(text, left);
      left = shown === text ? left - widthOf(text) : 0;
      return style === undefined ? shown : paintSpan(style, shown);
    })
    .join("");
}

function paint(stream: NodeJS.WriteStream, style: Style, text: string): string {
  return supportsColor(stream) ? styleText(style, text, { validateStream: false }) : text;
}
