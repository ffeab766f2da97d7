import { Help } from "commander";

const INDENT = /^ */;
const COMMAND = "muster ";
const TASK_OR_RUN = /\b(task|run) ([\da-f-]{36})\b/g;
/** A space at which a line is not broken, from the private use area of Unicode. */
const FIXED_SPACE = "\uE000";
/** On a narrower terminal, text is not wrapped. */
const MIN_WIDTH = 20;

/**
 * Breaks lines of prose between words, so that a terminal does not break them within one; keeps their indentation.
 * Commands to copy stay on one line, however long: a terminal that breaks one gives it back whole when it is copied.
 */
export function wrapProse(text: string, columns: number): string {
  if (columns < MIN_WIDTH) return text;
  const lines = text.split("\n").map((line) => wrapLine(withFixedCommand(line), columns));
  return lines.join("\n").replaceAll(FIXED_SPACE, " ");
}

function wrapLine(line: string, columns: number): string {
  const [indent] = INDENT.exec(line) ?? [""];
  const help = Object.assign(new Help(), { minWidthToWrap: 1 });
  const wrapped = help.boxWrap(line.slice(indent.length), columns - indent.length);
  return wrapped
    .split("\n")
    .map((part) => indent + part)
    .join("\n");
}

/** A quoted command ends at its quotation mark, another one at the end of its line; an id stays beside its noun. */
function withFixedCommand(line: string): string {
  const start = line.indexOf(COMMAND);
  if (start < 0) return line.replaceAll(TASK_OR_RUN, `$1${FIXED_SPACE}$2`);
  const quote = line[start - 1] === '"' ? line.indexOf('"', start) : -1;
  const end = quote < 0 ? line.length : quote;
  return line.slice(0, start) + line.slice(start, end).replaceAll(" ", FIXED_SPACE) + line.slice(end);
}
