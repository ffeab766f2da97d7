import { useMatch, useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * Navigates from the page that this component belongs to, such as to change its own search parameters. Once the person
 * has left for another page it does nothing: a page stays until the next one is loaded, and what it starts late (an
 * effect of data, a response) would lead back, with the parameters of the other page.
 */
export const usePageNavigate: typeof useNavigate = (options) => {
  const router = useRouter();
  const navigate = useNavigate(options);
  const own = useMatch({ strict: false, select: ({ pathname }) => withoutSlash(pathname) });
  const navigateHere: typeof navigate = useCallback(
    (to) => (withoutSlash(router.latestLocation.pathname) === own ? navigate(to) : Promise.resolve()),
    [navigate, own, router],
  );
  return navigateHere;
};

function withoutSlash(pathname: string): string {
  return pathname.replace(/\/$/, "");
}
