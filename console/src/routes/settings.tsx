import { Outlet, useLocation } from "@tanstack/react-router";
import { useWorkspace } from "../api/use-session.ts";
import { SETTINGS_TABS } from "../features/settings/tabs.ts";
import { Page } from "../ui/page.tsx";
import { Tabs } from "../ui/tabs.tsx";

/** The frame of the settings' tabs. */
export function SettingsPage() {
  const { slug } = useWorkspace();
  const { pathname } = useLocation();
  const current = SETTINGS_TABS.find(({ key }) => pathname.endsWith(`/settings/${key}`));
  const tabs = SETTINGS_TABS.map(({ key, label, to }) => ({ key, label, link: { to, params: { workspace: slug } } }));
  return (
    <Page title="Settings" below={<Tabs label="Settings" tabs={tabs} current={current?.key ?? ""} />}>
      <Outlet />
    </Page>
  );
}
