/** https://spec.commonmark.org/0.31.2/#fenced-code-blocks, also in a list: its indent and its mark. */
const FENCE = /^([ \t]{0,12})(`{3,12}|~{3,12})[^`]{0,40}$/;

/** The most that a fence counts for, however a vendor counts. */
export const MAX_FENCE = 110;

/** An open code block. */
export interface Fence {
  /** The line that opens it. */
  readonly line: string;
  readonly indent: string;
  readonly mark: string;
}

/** The code block that a line opens. */
export function fenceAt(line: string): Fence | undefined {
  const [, indent = "", mark] = FENCE.exec(line) ?? [];
  return mark === undefined ? undefined : { line, indent, mark };
}

/** Whether a line closes a code block. */
export function closesFence(line: string, { mark }: Fence): boolean {
  const text = line.trim();
  return text.startsWith(mark) && text.replaceAll(mark.charAt(0), "") === "";
}
