import { useEffect } from "react";
import { useAccess, useWorkspace } from "../../api/use-session.ts";
import { signOut } from "../../api/sign-out.ts";
import { slugOf } from "../../lib/workspaces.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";

/** In place of a workspace that was deleted, or that the person was removed from: the ways on. */
export default function Removed() {
  const { workspaces } = useAccess();
  const { id, name } = useWorkspace();
  const others = workspaces.filter((each) => each.id !== id);
  useEffect(() => {
    document.title = "No longer a member · Muster";
  }, []);
  return (
    <main className="py-16">
      <Empty
        title={`You no longer have access to ${name}`}
        action={
          <>
            {others.map((each) => (
              <a key={each.id} href={`/w/${slugOf(each)}`} className={buttonClass({ look: "primary" })}>
                <span>
                  Open <Bdi>{each.name}</Bdi>
                </span>
              </a>
            ))}
            <Button onClick={() => void signOut()}>Sign out</Button>
          </>
        }
      >
        You were removed from the workspace, or it was deleted. Its owner can invite you again.
      </Empty>
    </main>
  );
}
