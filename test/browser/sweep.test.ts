import { afterAll, beforeAll, describe, expect } from "vitest";
import { verifies } from "../support/verifies.ts";
import { useBrowser } from "./browser.ts";
import { SWEEP_TIMEOUT_MS, USUAL_LOOK, sweepScene } from "./sweep-screens.ts";
import type { SweptScene } from "./sweep-screens.ts";
import { SWEPT_SCENES } from "./swept-scenes.ts";

// The tests of details open the same screens in all looks, and as a viewer.
const browser = useBrowser();

describe.each(SWEPT_SCENES)("the screens of $part", ({ open }) => {
  let swept: SweptScene;
  beforeAll(async () => {
    swept = await open();
  });
  afterAll(() => swept.close());

  verifies(
    "pages.accessible",
    "are accessible, fit a desktop window, and break no policy",
    async () => {
      expect(await sweepScene(browser, swept, [USUAL_LOOK])).toEqual({});
    },
    SWEEP_TIMEOUT_MS,
  );
});
