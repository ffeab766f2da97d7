import { CopyButton } from "../../../ui/copy.tsx";
import { visibleText } from "../../../lib/visible-text.ts";

/** A text as it is, under its name; JSON is indented. */
export function CodeBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section className="rounded-control border border-line bg-surface">
      <header className="flex items-center justify-between gap-2 ps-3 pe-1">
        <h3 className="text-caption font-medium text-ink-3">{title}</h3>
        <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} />
      </header>
      <pre
        dir="auto"
        tabIndex={0}
        aria-label={title}
        className="max-h-[60vh] overflow-auto border-t border-line bg-canvas px-3 py-2 font-mono text-mono whitespace-pre-wrap last:rounded-b-control"
      >
        {text === "" ? <span className="text-ink-3">Empty</span> : visibleText(indented(text))}
      </pre>
    </section>
  );
}

/** JSON with line breaks; another text as it is. */
export function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
