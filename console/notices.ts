import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The folder of the package that a bundled file is of. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
/** What only style sheets refer to, which are no modules. */
const STYLES = ["tailwindcss", "@fontsource-variable/inter", "@fontsource-variable/geist-mono"];
const LICENCE = /^(?:licen[cs]e|copying|notice)(?:\.|$)/i;

/** Adds a file with the licences of all packages in the bundle, to which the page links: most of them require it. */
export function notices(): Plugin {
  return {
    name: "notices",
    generateBundle() {
      const bundled = [...this.getModuleIds()].flatMap((id) => PACKAGE.exec(id)?.[0] ?? []);
      const folders = new Set([
        ...bundled,
        ...STYLES.map((name) => join(import.meta.dirname, "../node_modules", name)),
      ]);
      const texts = [...folders].map(noticeOf).toSorted((one, other) => (one < other ? -1 : 1));
      this.emitFile({ type: "asset", name: "notice.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /^assets\/notice-[^/]+\.txt$/.test(name));
        return file === undefined ? [] : [{ tag: "link", attrs: { rel: "license", href: `/${file}` } }];
      },
    },
  };
}

function noticeOf(folder: string): string {
  const { name, version, license }: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  return [`${name} ${version} (${license})\n`, ...files.map((file) => readFileSync(join(folder, file), "utf8"))].join(
    "\n",
  );
}
