import { expect, test } from "vitest";
import { UsageError } from "../errors/cli-error.ts";
import { prefersNoColour, readSettings } from "./settings.ts";

const ENV = { MUSTER_URL: "http://one:1/", MUSTER_API_KEY: "mst_env", MUSTER_AGUI_KEY: "" };

test("options go before the environment, which goes before the defaults", () => {
  expect(readSettings({}, {})).toEqual({ url: "http://127.0.0.1:4400", apiKey: undefined, aguiKey: undefined });
  expect(readSettings({}, ENV)).toEqual({ url: "http://one:1", apiKey: "mst_env", aguiKey: undefined });
  expect(readSettings({ url: "https://two/x//", key: "mst_flag", "agui-key": "mst_agui_flag" }, ENV)).toEqual({
    url: "https://two/x",
    apiKey: "mst_flag",
    aguiKey: "mst_agui_flag",
  });
});

test.each(["localhost:4400", "ftp://one", "nonsense"])("%s is rejected as an address", (url) => {
  expect(() => readSettings({ url }, {})).toThrow(UsageError);
});

test("NO_COLOR counts when it is not empty", () => {
  expect(prefersNoColour({ NO_COLOR: "1" })).toBe(true);
  expect(prefersNoColour({ NO_COLOR: "" })).toBe(false);
});
