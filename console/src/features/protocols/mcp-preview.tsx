import { plural } from "../../lib/format.ts";
import type { McpDiscovery } from "./records.ts";
import { Bdi } from "../../ui/bdi.tsx";

/** What a server offers, before it is connected. */
export function McpPreview({ found }: { readonly found: McpDiscovery }) {
  const { server_name: name, server_version: version, tools } = found;
  return (
    <section aria-labelledby="found-tools" className="rounded-panel border border-line">
      <header className="flex items-baseline justify-between gap-3 border-b border-line px-3 py-2">
        <p id="found-tools" className="font-semibold" role="status">
          {plural(tools.length, "tool")}
        </p>
        {name !== null && <Bdi className="truncate text-small text-ink-3">{`${name} ${version ?? ""}`}</Bdi>}
      </header>
      {tools.length > 0 && (
        <ul className="max-h-48 overflow-y-auto" tabIndex={0} aria-labelledby="found-tools">
          {tools.map((tool) => (
            <li key={tool.name} className="px-3 py-1.5 not-last:border-b not-last:border-line">
              <span className="font-mono text-mono">{tool.name}</span>
              <Bdi className="line-clamp-2 block text-small text-ink-2">{tool.description}</Bdi>
              {tool.issue !== null && <span className="block text-small text-failed">{tool.issue}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
