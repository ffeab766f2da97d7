import { bytes } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { localPath, useFileText } from "./queries.ts";
import type { StoredFile } from "./queries.ts";
import { CodeBox } from "../../ui/code-box.tsx";

/** Longer texts are downloaded instead: a page of them would be slow. */
const MAX_TEXT_BYTES = 512_000;

/** Shows a file: images and pages as they are, the latter in a sandbox; other text as text. */
export function Preview({ file }: { readonly file: StoredFile }) {
  const { name, type, size, preview_url: url } = file;
  if (url === null) return <NoPreview>This type can't be shown here. Download the file to open it.</NoPreview>;
  const path = localPath(url);
  if (type.startsWith("image/")) {
    return <img src={path} alt={name} className="max-h-[60vh] max-w-full self-center object-contain" />;
  }
  if (type === "text/html") {
    return (
      <iframe
        src={path}
        title={`Preview of ${name}`}
        sandbox=""
        className="h-[60vh] w-full box bg-[#fff] [color-scheme:light]"
      />
    );
  }
  if (size > MAX_TEXT_BYTES) return <NoPreview>{`With ${bytes(size)} it is too long to be shown here.`}</NoPreview>;
  return <TextPreview path={path} isMarkdown={type === "text/markdown"} />;
}

function TextPreview({ path, isMarkdown }: { readonly path: string; readonly isMarkdown: boolean }) {
  return (
    <QueryPart query={useFileText(path)}>
      {(text) =>
        isMarkdown ? (
          <div className="max-h-[60vh] overflow-auto box px-4 py-3" tabIndex={0}>
            <Markdown text={text} />
          </div>
        ) : (
          <CodeBox aria-label="Content" className="box px-3 py-2">
            {visibleText(text)}
          </CodeBox>
        )
      }
    </QueryPart>
  );
}

function NoPreview({ children }: { readonly children: string }) {
  return <p className="box bg-surface px-4 py-8 text-center text-ink-2">{children}</p>;
}
