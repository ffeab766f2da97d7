import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UsageError } from "../errors/cli-error.ts";
import { readProfiles, saveProfiles } from "./profiles.ts";
import { profilesFile, readSettings } from "./settings.ts";
import { prefersNoColor } from "../terminal/no-color.ts";

const HOME = { XDG_CONFIG_HOME: "/nowhere" };
const ENV = { ...HOME, MUSTER_URL: "http://one:1/", MUSTER_API_KEY: "mst_env" };

function homeWithProfiles() {
  const folder = mkdtempSync(join(tmpdir(), "muster-profiles-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { XDG_CONFIG_HOME: folder };
  const profiles = { work: { url: "https://work", key: "mst_work" }, home: { url: "http://home:1", key: "mst_home" } };
  saveProfiles(profilesFile(env), { current: "work", profiles });
  return env;
}

test("options take precedence over the environment, which does over the defaults", () => {
  expect(readSettings({}, HOME)).toEqual({ url: "http://127.0.0.1:4400", apiKey: undefined, profile: "default" });
  expect(readSettings({}, ENV)).toEqual({ url: "http://one:1", apiKey: "mst_env", profile: "default" });
  expect(readSettings({ url: "https://two/x//", key: "mst_flag" }, ENV)).toMatchObject({
    url: "https://two/x",
    apiKey: "mst_flag",
  });
});

test("a profile fills missing options and variables; its key is sent to its own service only", () => {
  const env = homeWithProfiles();
  expect(readSettings({}, env)).toEqual({ url: "https://work", apiKey: "mst_work", profile: "work" });
  expect(readSettings({ profile: "home" }, env)).toMatchObject({ url: "http://home:1", apiKey: "mst_home" });
  expect(readSettings({}, { ...env, MUSTER_PROFILE: "home" })).toMatchObject({ apiKey: "mst_home" });
  expect(readSettings({ url: "https://elsewhere" }, env)).toMatchObject({ apiKey: undefined });
  expect(readSettings({}, { ...env, MUSTER_API_KEY: "mst_env" })).toMatchObject({ apiKey: "mst_env" });
  expect(() => readSettings({ profile: "none" }, env)).toThrow("muster login --profile none");
});

test("only its user can read the file of profiles", () => {
  const file = profilesFile(homeWithProfiles());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readProfiles(file).current).toBe("work");
});

test.each(["localhost:4400", "ftp://one", "nonsense"])("%s is rejected as a URL", (url) => {
  expect(() => readSettings({ url }, HOME)).toThrow(UsageError);
});

test.each(["127.0.0.1:4400", "localhost:4400", "[::1]:4400/x"])("%s lacks its scheme", (url) => {
  expect(() => readSettings({ url }, HOME)).toThrow(`"${url}" is not a URL. Did you mean http://${url}?`);
});

test("NO_COLOR counts when it is not empty", () => {
  expect(prefersNoColor({ NO_COLOR: "1" })).toBe(true);
  expect(prefersNoColor({ NO_COLOR: "" })).toBe(false);
});

/** A number that no system gives to a user, as a container runs with. */
const UNKNOWN_USER = { uid: 65_533, gid: 65_533 };
const canBecomeUnknownUser =
  process.getuid?.() === 0 && spawnSync(process.execPath, ["-e", ""], { ...UNKNOWN_USER, env: {} }).status === 0;

test.runIf(canBecomeUnknownUser)("the command works for a user without a home folder, as in a container", () => {
  const main = join(import.meta.dirname, "../main.ts");
  const { status, stderr } = spawnSync(process.execPath, [main, "whoami"], {
    ...UNKNOWN_USER,
    env: {},
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^No API key\./);
  expect(status).toBe(4);
});
