import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ROW_LINK } from "../../ui/row-link.ts";
import { Section, SectionRow } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { KeyEnd } from "../settings/key-end.tsx";
import { useExpiringKeys } from "../settings/queries.ts";

/** The keys that expire soon, for those who can replace them; nothing without any. */
export function ExpiringKeys() {
  return useBlockedBy("admin") === undefined ? <List /> : null;
}

function List() {
  const { slug } = useWorkspace();
  const keys = useExpiringKeys().data ?? [];
  if (keys.length === 0) return null;
  return (
    <Section title="Keys that expire soon">
      <ul>
        {keys.map((key) => (
          <SectionRow key={key.id} end={<KeyEnd apiKey={key} />}>
            <StateIcon state={key.expiry_warning === "3_days" ? "failed" : "waiting"} decorative />
            <Link
              to="/w/$workspace/settings/keys"
              params={{ workspace: slug }}
              search={{ q: key.id }}
              dir="auto"
              className={ROW_LINK}
            >
              {visibleText(key.label)}
            </Link>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}
