import { styleText } from "node:util";
import { clip, widthOf } from "./clip.ts";
import { safeText } from "./safe-text.ts";
import type { Style } from "./style.ts";
import { fieldLines, tableLines } from "./table.ts";
import type { Fields } from "./table.ts";
import { wrapProse } from "./wrap.ts";
import { prefersNoColor } from "./no-color.ts";

const DEFAULT_ROWS = 24;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = "\r\u001B[K";

/** A piece of a drawn line: its text and style. */
export type Span = readonly [text: string, style?: Style];

/** The output of a command: data on standard output, messages on standard error. */
export interface Output {
  /** Writes a line of data. */
  line(text: string): void;
  /** Writes a table of data, fitted to the terminal. */
  table(headings: readonly string[], rows: readonly (readonly string[])[]): void;
  /** Writes the fields of one record. */
  fields(fields: Fields): void;
  /** Writes a JSON document on one line. */
  json(value: unknown): void;
  /** Writes a piece of data unchanged, without a line end. */
  text(piece: string): void;
  /** Ends a line that was started with `text`. */
  endLine(): void;
  /** Whether standard output is a terminal, on which lines can be redrawn. */
  readonly isLive: boolean;
  /** On a terminal, replaces the previous drawing by these lines: the last ones that fit, cut to its width. */
  drawing(lines: readonly (readonly Span[])[]): void;
  /** Keeps the drawing; later output is written below it. */
  keepDrawing(): void;
  /** Writes a message line; on a terminal, wrapped between words. */
  note(text: string, style?: Style): void;
  /** On a terminal, shows a status line until something else is written; undefined removes it. */
  status(text: string | undefined): void;
  /** Styles a text for standard output. */
  styled(style: Style, text: string): string;
}

/** Creates the output to these streams; control characters that a terminal would execute are removed. */
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
    fields(fields) {
      for (const text of fieldLines(fields)) line(text);
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

/** Whether a stream shows colours: it is a terminal, and the user did not disable them. */
export function supportsColor(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !prefersNoColor();
}

function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || DEFAULT_COLUMNS;
}

/** Creates a drawing: lines of a terminal that are redrawn in place. */
function createDrawing(stdout: NodeJS.WriteStream) {
  /** The number of lines of the last drawing that can still be redrawn. */
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

/** A line wider than the terminal would wrap and could not be redrawn. */
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
