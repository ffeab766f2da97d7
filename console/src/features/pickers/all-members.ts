import { useQuery } from "@tanstack/react-query";
import { listMembers } from "#client/gen/operations/members.ts";
import { readAll } from "../../api/use-pages.ts";

/** All members of the workspace; none until they are read. */
export function useAllMembers() {
  return useQuery({ queryKey: ["members", "all"], queryFn: () => readAll(listMembers, {}) }).data ?? [];
}
