import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { loadPart } from "../lib/load-part.ts";
import { readModelsSearch } from "../features/models/search.ts";
import { readSavedSearch } from "../features/saved/search.ts";
import {
  readAuditSearch,
  readKeysSearch,
  readNewSearch,
  readProfileSearch,
  readServiceAccountsSearch,
} from "../features/settings/search.ts";
import { workspace } from "./workspace.ts";

/** The settings; each tab is a route below. `features/settings/tabs.ts` names them. */
const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings.tsx")), "SettingsPage"),
});

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad({ params }) {
    throw redirect({ to: "/w/$workspace/settings/workspace", params, replace: true });
  },
});

const modelSettings = createRoute({
  getParentRoute: () => settings,
  path: "/models",
  validateSearch: readModelsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-models.tsx")), "ModelSettings"),
});

const approvalSettings = createRoute({
  getParentRoute: () => settings,
  path: "/approvals",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-approvals.tsx")), "ApprovalSettings"),
});

const voiceSettings = createRoute({
  getParentRoute: () => settings,
  path: "/voices",
  validateSearch: readSavedSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-voices.tsx")), "VoiceSettings"),
});

const templateSettings = createRoute({
  getParentRoute: () => settings,
  path: "/templates",
  validateSearch: readSavedSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-templates.tsx")), "TemplateSettings"),
});

const workspaceSettings = createRoute({
  getParentRoute: () => settings,
  path: "/workspace",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-workspace.tsx")), "WorkspaceSettings"),
});

const memberSettings = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  validateSearch: readNewSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-members.tsx")), "MemberSettings"),
});

const serviceAccountSettings = createRoute({
  getParentRoute: () => settings,
  path: "/service-accounts",
  validateSearch: readServiceAccountsSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import("../routes/settings-service-accounts.tsx")),
    "ServiceAccountSettings",
  ),
});

const keySettings = createRoute({
  getParentRoute: () => settings,
  path: "/keys",
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-keys.tsx")), "KeySettings"),
});

const auditSettings = createRoute({
  getParentRoute: () => settings,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-audit.tsx")), "AuditSettings"),
});

const profileSettings = createRoute({
  getParentRoute: () => settings,
  path: "/profile",
  validateSearch: readProfileSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/settings-profile.tsx")), "ProfileSettings"),
});

/** The settings with their tabs. */
export const settingsRoutes = settings.addChildren([
  settingsStart,
  workspaceSettings,
  memberSettings,
  serviceAccountSettings,
  keySettings,
  modelSettings,
  approvalSettings,
  voiceSettings,
  templateSettings,
  auditSettings,
  profileSettings,
]);
