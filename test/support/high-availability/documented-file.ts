import { join } from "node:path";
import { readPage } from "../docs/read-page.ts";

const PAGE = join(import.meta.dirname, "../../../docs/high-availability.md");

/** What to write instead of what: addresses, ports and folders of the documentation. */
export type Replacements = Readonly<Record<string, string>>;

/**
 * A file of the documentation's page about high availability, with other addresses.
 * @throws Error when the page has no such file, or the file does not have what is to be replaced
 */
export function documentedFile(name: string, replacements: Replacements): string {
  const block = readPage(PAGE).find((each) => each.kind === "file" && each.name === name);
  if (block === undefined) throw new Error(`The page has no file ${name}.`);
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${name} does not have ${from}.`);
    return text.replaceAll(from, to);
  }, `${block.text}\n`);
}
