import { Outlet } from "@tanstack/react-router";

/** The frame of every page. */
export function Root() {
  return <Outlet />;
}
