import { Outlet } from "@tanstack/react-router";

/** What is around every page. */
export function Root() {
  return <Outlet />;
}
