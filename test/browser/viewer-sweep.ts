import type { Page } from "playwright-core";
import { z } from "zod";
import { alternated, openScreen } from "./sweep-screens.ts";
import type { SweptScreen } from "./sweep-screens.ts";

/** How the names of controls begin that change something in the workspace. */
const WRITES =
  /^(Add|Answer|Approve|Assign|Attach|Call|Cancel|Change|Choose files|Connect|Create|Delete|Discard|Edit|Fork|Give|Import|Install|Invite|Make|Move|New|Pause|Publish|Read again|Reconnect|Redeliver|Refuse|Reject|Remove|Rename|Restore|Resume|Retry|Revoke|Rotate|Run|Save|Send|Start|Subscribe|Test|Turn|Upload|Withdraw)\b/;
/** Requests with this prefix are for all roles: they change only the person's own data, or nothing. */
const OWN = /^(Save (profile|filters)|Change password|Add a passkey|New conversation)/;

/** Matches what is disabled for a role, by its reason. */
const REASON = "[title^='Needs the role']";

const control = z.object({ name: z.string(), isEnabled: z.boolean(), reason: z.string() });

/**
 * Opens each screen as the viewer that is signed in on the page.
 * @returns by screen, what could be used although it writes, what is disabled without the reason, and what the server
 *   rejected; empty when all is well.
 */
export async function findWritable(page: Page, screens: readonly SweptScreen[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  let rejected: string[] = [];
  let read = 0;
  page.on("response", (response) => {
    if (response.status() === 403) rejected.push(`${response.request().method()} ${response.url()}`);
  });
  for (const { name, url, shows } of alternated(screens)) {
    rejected = [];
    await openScreen(page, url);
    // A form that a viewer cannot open says so instead.
    const complete = page
      .getByText(shows)
      .or(page.getByText(/^Needs the role/))
      .or(page.locator(REASON));
    await complete.filter({ visible: true }).first().waitFor();
    const controls = (await controlsOn(page)).filter(isWrite);
    read += controls.length;
    const enabled = controls.filter(({ isEnabled }) => isEnabled);
    const silent = controls.filter(({ isEnabled, reason }) => !isEnabled && !reason.startsWith("Needs the role"));
    if (enabled.length > 0) found[`${name}: enabled`] = enabled.map((each) => each.name);
    if (silent.length > 0) found[`${name}: disabled without a reason`] = silent.map((each) => each.name);
    if (rejected.length > 0) found[`${name}: rejected`] = rejected;
  }
  if (read === 0) throw new Error("None of the screens has a control that writes: the walk looked at nothing.");
  return found;
}

/** The buttons of the screen and its dialogs, and the links that look like one; those of the menu of more actions, too. */
async function controlsOn(page: Page): Promise<z.output<typeof control>[]> {
  const menu = page.getByRole("main").getByRole("button", { name: /^More( actions)?$/, disabled: false });
  if ((await menu.count()) === 1) {
    await menu.click();
    await page.getByRole("menu").waitFor();
  }
  return z.array(control).parse(await page.evaluate(READ_CONTROLS));
}

const READ_CONTROLS = `(() => {
  // A form that is disabled as a whole says why once.
  const reasonAround = (each) => {
    const place = each.closest("[role=dialog], main");
    const named = place?.querySelector("${REASON}")?.title;
    return named ?? /Needs the role .*/.exec(place?.textContent ?? "")?.[0] ?? "";
  };
  return [...document.querySelectorAll("main button, main a.rounded-control, [role=dialog] button, [role=menuitem]")]
    .filter((each) => each.checkVisibility())
    .map((each) => ({
      name: (each.getAttribute("aria-label") ?? each.textContent).trim(),
      isEnabled: !each.matches(":disabled, [aria-disabled=true], [data-disabled]"),
      reason: each.title.startsWith("Needs the role") ? each.title : reasonAround(each),
    }));
})()`;

function isWrite({ name }: { readonly name: string }): boolean {
  return WRITES.test(name) && !OWN.test(name);
}
