import type { ReactNode } from "react";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** A link that a person or a model wrote: it shows its host and sends no referrer; other schemes stay text. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const url = URL.parse(href);
  if (url === null || !SCHEMES.has(url.protocol)) {
    return (
      <>
        {children} ({href})
      </>
    );
  }
  const where = url.protocol === "mailto:" ? url.pathname : url.host;
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {children !== where && <span className="text-ink-3"> ({where})</span>}
    </>
  );
}
