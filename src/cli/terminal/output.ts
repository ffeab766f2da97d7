import { styleText } from "node:util";
import { prefersNoColour } from "../service/settings.ts";
import { safeText } from "./safe-text.ts";

const FEWEST_ROWS = 24;

/** How a text is set off where colours are shown. */
export type Style = "dim" | "bold" | "red" | "green" | "yellow" | "cyan";

/** Where a command writes: data on standard output, everything said about it on standard error. */
export interface Output {
  /** A line of data. */
  line(text: string): void;
  /** One JSON document on one line. */
  json(value: unknown): void;
  /** A piece of data without an end of line, as it arrived. */
  text(piece: string): void;
  /** Ends the line that pieces have begun. */
  endLine(): void;
  /** Whether standard output is a terminal, on which lines can be drawn again. */
  readonly isLive: boolean;
  /** On a terminal: draws lines in place of those of the last drawing; as many of the last ones as fit. */
  drawing(lines: readonly string[]): void;
  /** Lets the drawing stand; what comes next is written below it. */
  keepDrawing(): void;
  /** A line for the person who watches. */
  note(text: string, style?: Style): void;
  /** Sets off a text on standard output. */
  styled(style: Style, text: string): string;
}

/** Output to this process's streams; control characters are taken out where a terminal would obey them. */
export function createOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  let withinLine = false;
  /** Lines of the drawing that can still be drawn again. */
  let drawn = 0;

  function endLine(): void {
    if (withinLine) stdout.write("\n");
    withinLine = false;
  }

  return {
    line(text) {
      endLine();
      stdout.write(`${text}\n`);
    },
    json(value) {
      stdout.write(`${JSON.stringify(value)}\n`);
    },
    text(piece) {
      if (piece === "") return;
      stdout.write(stdout.isTTY ? safeText(piece) : piece);
      withinLine = !piece.endsWith("\n");
    },
    endLine,
    isLive: stdout.isTTY,
    drawing(lines) {
      const shown = lines.slice(-Math.max(1, (stdout.rows || FEWEST_ROWS) - 1));
      stdout.write(`${drawn > 0 ? `\u001B[${drawn}F\u001B[0J` : ""}${shown.map((line) => `${line}\n`).join("")}`);
      drawn = shown.length;
    },
    keepDrawing() {
      drawn = 0;
    },
    note(text, style) {
      drawn = 0;
      // On one screen a note would continue the data's line; in a file the data stays as it is.
      if (withinLine && stdout.isTTY && stderr.isTTY) stderr.write("\n");
      stderr.write(`${style === undefined ? text : paint(stderr, style, text)}\n`);
    },
    styled: (style, text) => paint(stdout, style, text),
  };
}

/** Whether a stream shows colours: a terminal whose user did not ask for none. */
export function showsColour(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !prefersNoColour();
}

function paint(stream: NodeJS.WriteStream, style: Style, text: string): string {
  return showsColour(stream) ? styleText(style, text, { validateStream: false }) : text;
}
