import { useMemo, useState } from "react";
import { visibleText } from "../lib/visible-text.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";
import { JsonTree } from "./json-tree.tsx";
import { LongText } from "./long-text.tsx";
import { CodeBox } from "./code-box.tsx";

/** A longer JSON, in characters, is a tree at first: as a text it takes long to draw, and long to read. */
const LONG = 10_000;

/** A text as it is, under its name; JSON is indented, and is a tree, too. */
export function CodeBlock({ title, text }: { readonly title: string; readonly text: string }) {
  const json = useMemo(() => readJson(text), [text]);
  const [chosen, setChosen] = useState<"text" | "tree">();
  const form = chosen ?? (text.length > LONG ? "tree" : "text");
  return (
    <section className="box bg-surface">
      <header className="flex items-center gap-2 ps-3 pe-1">
        <h3 className="me-auto text-caption font-medium text-ink-3">{title}</h3>
        {json !== undefined &&
          FORMS.map(({ key, label }) => (
            <Button
              key={key}
              size="small"
              look={form === key ? "plain" : "quiet"}
              aria-pressed={form === key}
              className="print:hidden"
              onClick={() => setChosen(key)}
            >
              {label}
            </Button>
          ))}
        <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} />
      </header>
      {json !== undefined && form === "tree" ? (
        <JsonTree value={json} label={title} />
      ) : (
        <LongText text={json === undefined ? text : JSON.stringify(json, null, 2)}>
          {(shown) => (
            <CodeBox aria-label={title} className="border-t border-line bg-canvas px-3 py-2 last:rounded-b-control">
              {text === "" ? <span className="text-ink-3">Empty</span> : visibleText(shown)}
            </CodeBox>
          )}
        </LongText>
      )}
    </section>
  );
}

const FORMS = [
  { key: "text", label: "Text" },
  { key: "tree", label: "Tree" },
] as const;

/** The list or object that a text is as JSON; undefined for any other text. */
function readJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
