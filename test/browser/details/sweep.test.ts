import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { useBrowser } from "../browser.ts";
import { joinAs } from "../scene.ts";
import { ARTEFACTS, LOOKS, SWEEP_TIMEOUT_MS, TAKES_PICTURES, nameOf, sweepScene } from "../sweep-screens.ts";
import type { SweptScene } from "../sweep-screens.ts";
import { SWEPT_SCENES } from "../swept-scenes.ts";
import { findWritable } from "../viewer-sweep.ts";
import { verifies } from "../../support/verifies.ts";

const browser = useBrowser();
const names: string[] = [];

describe.each(SWEPT_SCENES)("the screens of $part", ({ open }) => {
  let swept: SweptScene;
  beforeAll(async () => {
    swept = await open();
    names.push(...[...swept.withoutSession, ...swept.screens].map(({ name }) => name));
  });
  afterAll(() => swept.close());

  verifies(
    "pages.accessible",
    "are accessible, fit, and break no policy in each window and theme",
    async () => {
      expect(await sweepScene(browser, swept, LOOKS)).toEqual({});
    },
    SWEEP_TIMEOUT_MS,
  );

  verifies(
    "console.viewer",
    "offer a viewer no control that would be rejected",
    async () => {
      const page = await browser.newPage();
      await joinAs(swept.scene, page, "viewer");
      expect(
        await findWritable(
          page,
          swept.screens.filter(({ name }) => !isVariant(name)),
        ),
      ).toEqual({});
    },
    SWEEP_TIMEOUT_MS,
  );
});

/** The same screen without rows: it has the same controls. */
function isVariant(name: string): boolean {
  return name.endsWith("-empty");
}

afterAll(async () => {
  if (!TAKES_PICTURES) return;
  const rows = names.map((name) => {
    const pictures = LOOKS.map((look) => `<img src="${name}-${nameOf(look)}.png" width="${look.viewport.width / 2}">`);
    return `<h2>${name}</h2>${pictures.join("")}`;
  });
  const page = `<!doctype html><meta charset="utf-8"><title>Screens</title>${rows.join("")}`;
  await writeFile(join(ARTEFACTS, "index.html"), page);
});
