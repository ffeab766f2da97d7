import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
/** What becomes pages: their paths on the site are those in the repository. */
const PAGES = ["docs/**/*.md", "*.md", "clients/*/README.md", "bench/results.md"];
/** The first page stands for it. */
const FIRST = "README.md";
/** The section of README.md with the table of the last `muster prove`. */
const PROOF = /^### (The last proof\n[^]*?)(?=^## )/m;
const COMMENT = /<!--[^]*?-->\n*/g;
const LINK = /(!?\[(?:[^[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)/g;
/** Code, which stays as it is; a placeholder; or a link. */
const PART = new RegExp(`^\`\`\`[^]*?^\`\`\`$|\`[^\`\\n]+\`|\\{\\{\\w+\\}\\}|${LINK.source}`, "gm");

const files = globSync(PAGES, { cwd: ROOT }).filter((file) => file !== FIRST);
const isPage = new Set(files);

/** A group of the sidebar. */
interface Group {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

/**
 * Writes the pages of the site to a folder, and `site.json` with the sidebar, which follows docs/README.md. Links to
 * files of the repository that are no pages become plain names, since the site does not have them.
 * @throws Error for a link to what does not exist
 */
export function writePages(folder: string, site: { readonly config: string; readonly version: string }): void {
  for (const file of files) write(join(folder, pageOf(file)), forSite(file, read(file)));
  write(join(folder, "index.md"), firstPage());
  cpSync(join(ROOT, "docs/images"), join(folder, "public/docs/images"), { recursive: true });
  write(
    join(site.config, "site.json"),
    JSON.stringify({ version: site.version, sidebar: sidebarOf(read("docs/README.md")) }),
  );
}

/** The groups and pages that the contents list. */
function sidebarOf(contents: string): Group[] {
  return contents
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf("\n")),
      items: [...section.matchAll(LINK)].flatMap(([, label = "", target = ""]) =>
        target.endsWith(".md")
          ? [{ text: capitalized(label.slice(1, -1)), link: siteLink("docs/README.md", target) ?? "" }]
          : [],
      ),
    }));
}

/** The first page, with the table of faults and what they cost, and that of the last `muster prove`. */
function firstPage(): string {
  const faults = /^\| Fault[^]*?(?=^$)/m.exec(read("docs/high-availability.md"))?.[0];
  if (faults === undefined) throw new Error("docs/high-availability.md has no table of faults.");
  const proof = PROOF.exec(read(FIRST))?.[1];
  if (proof === undefined) throw new Error(`${FIRST} has no section with the last proof.`);
  return `${read("scripts/site/index.md")}${faults}\n## ${forSite(FIRST, proof)}`;
}

function forSite(file: string, text: string): string {
  return text.replaceAll(COMMENT, "").replaceAll(PART, (part, label: string | undefined, target: string) => {
    // Vue would evaluate a placeholder, but not in code.
    if (label === undefined) return part.startsWith("{{") ? `\`${part}\`` : part;
    if (/^[a-z]+:|^#/.test(target)) return part;
    if (label.startsWith("!")) return `${label}(/${normalize(join(dirname(file), target))})`;
    const page = siteLink(file, target);
    return page === undefined ? label.slice(1, -1) : `${label}(${page})`;
  });
}

/** The site's path of what a file links to; undefined for a file that is no page. */
function siteLink(file: string, target: string): string | undefined {
  const [path = "", anchor] = target.split("#");
  const named = normalize(join(dirname(file), path));
  if (!existsSync(join(ROOT, named))) throw new Error(`${file} links to ${target}, which does not exist.`);
  const end = anchor === undefined ? "" : `#${anchor}`;
  if (named === FIRST) return "/docs/quickstart";
  return isPage.has(named) ? `/${pageOf(named).replace(/(index)?\.md$/, "")}${end}` : undefined;
}

/** A folder's README is its index. */
function pageOf(file: string): string {
  return file.replace(/(?<=\/)README\.md$/, "index.md");
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
