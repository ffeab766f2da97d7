import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy.tsx";
import { Markdown } from "../../../ui/markdown.tsx";
import { Caret } from "../log/transcript-view.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";

/** Text of a person or a model: rendered as Markdown, or unchanged. */
export function OutputText({ text, isOpen = false }: { readonly text: string; readonly isOpen?: boolean }) {
  const isJson = /^\s*[[{]/.test(text);
  const [isRaw, setRaw] = useState(isJson);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        {(["Markdown", isJson ? "JSON" : "Raw"] as const).map((form) => {
          const isOn = isRaw === (form !== "Markdown");
          return (
            <Button
              key={form}
              size="small"
              look={isOn ? "plain" : "quiet"}
              aria-pressed={isOn}
              onClick={() => setRaw(form !== "Markdown")}
            >
              {form}
            </Button>
          );
        })}
        <span className="ms-auto" />
        <CopyButton text={text} label="Copy output" />
      </div>
      {isRaw ? <CodeBlock title="Output" text={text} /> : <Markdown text={text} />}
      {isOpen && <Caret />}
    </div>
  );
}
