import { createRootRoute, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { loadPart } from "../lib/load-part.ts";
import { enterWorkspace, resumeSession } from "../api/enter.ts";
import type { Access } from "../api/session.ts";
import { locate } from "../api/locate.ts";
import { textOf } from "../lib/search.ts";
import { findWorkspace, slugOf } from "../lib/workspaces.ts";
import { NotFound, PageError } from "../routes/problem.tsx";
import { Root } from "../routes/root.tsx";

/** The root of all URLs. Screens are loaded when they are opened; their search parameters are read here. */
export const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageError });

/** Where to go after signing in: a URL of this service only. */
function readNext(search: Record<string, unknown>): { readonly next?: string } {
  const next = textOf(search["next"]);
  return next !== undefined && /^\/(?![/\\])/.test(next) ? { next } : {};
}

const index = createRoute({
  getParentRoute: () => root,
  path: "/",
  async beforeLoad() {
    const access = await resumeSession();
    if (access === undefined) throw redirect({ to: "/sign-in", replace: true });
    throw redirect({ to: "/w/$workspace", params: { workspace: homeOf(access) }, replace: true });
  },
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/setup.tsx")), "SetupPage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readNext,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/sign-in.tsx")), "SignInPage"),
});

/** What a workspace asks for that a password alone does not open. */
const passkey = createRoute({
  getParentRoute: () => root,
  path: "/passkey",
  validateSearch: readNext,
  beforeLoad: async () => {
    if ((await resumeSession()) === undefined) throw redirect({ to: "/sign-in", replace: true });
  },
  component: lazyRouteComponent(() => loadPart(() => import("../routes/passkey.tsx")), "PasskeyPage"),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/sign-up.tsx")), "SignUpPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/reset.tsx")), "ResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/invite.tsx")), "InvitePage"),
});

/** A short permanent link: it finds the workspace among the person's own. */
const runLink = createRoute({
  getParentRoute: () => root,
  path: "/r/$id",
  async beforeLoad({ params: { id }, location }) {
    const workspace = await workspaceOf(id, location.href);
    throw redirect({ to: "/w/$workspace/runs/$id", params: { workspace, id }, replace: true });
  },
});

const answerLink = createRoute({
  getParentRoute: () => root,
  path: "/r/$id/answer",
  beforeLoad: async ({ params: { id }, location: { href } }) => enterOrAsk(await workspaceOf(id, href), href),
  component: lazyRouteComponent(() => loadPart(() => import("../routes/answer.tsx")), "AnswerPage"),
});

/** One question, opened by its link; no session is needed. */
const tokenLink = createRoute({
  getParentRoute: () => root,
  path: "/a",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/answer-link.tsx")), "AnswerLinkPage"),
});

/** One run, shown by its link; no session is needed. */
const sharedRun = createRoute({
  getParentRoute: () => root,
  path: "/s",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/shared-run.tsx")), "SharedRunPage"),
});

/** Makes this tab work in a workspace, or leads to what it needs first; afterwards back to this URL. */
export async function enterOrAsk(name: string, next: string): Promise<void> {
  const entry = await enterWorkspace(name);
  if (entry === "signed-out") throw redirect({ to: "/sign-in", search: { next }, replace: true });
  if (entry === "needs-passkey") throw redirect({ to: "/passkey", search: { next }, replace: true });
}

/** What a program asks for that a person connects by OAuth. */
const connectApp = createRoute({
  getParentRoute: () => root,
  path: "/connect/$uid",
  async beforeLoad({ location }) {
    const access = await resumeSession();
    if (access === undefined) throw redirect({ to: "/sign-in", search: { next: location.href }, replace: true });
  },
  component: lazyRouteComponent(() => loadPart(() => import("../routes/connect-app.tsx")), "ConnectAppPage"),
});

function homeOf({ workspaces, workspace_id: id }: Access): string {
  const own = findWorkspace(workspaces, id);
  return own === undefined ? id : slugOf(own);
}

async function workspaceOf(id: string, href: string): Promise<string> {
  const access = await resumeSession();
  if (access === undefined) throw redirect({ to: "/sign-in", search: { next: href }, replace: true });
  return (await locate(id)) ?? homeOf(access);
}

/** The pages without a workspace, and the links that find one. */
export const publicRoutes = [
  index,
  setup,
  signIn,
  passkey,
  signUp,
  reset,
  invite,
  runLink,
  answerLink,
  tokenLink,
  sharedRun,
  connectApp,
] as const;
