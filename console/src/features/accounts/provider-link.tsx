import type { ReactNode } from "react";
import { buttonClass } from "../../ui/button.tsx";
import { useServiceOptions } from "./options.ts";

/** Leads to the instance's provider, which sends the person back to a page; nothing where there is none. */
export function ProviderLink({ next }: { readonly next: string }) {
  const provider = useServiceOptions().data?.provider;
  if (provider == null) return null;
  return (
    <a className={buttonClass({ size: "large" })} href={`/auth/oidc?next=${encodeURIComponent(next)}`}>
      Sign in with {provider}
    </a>
  );
}

/** A form that makes an account with a password, where there are any, and the provider, which makes one without. */
export function WaysIn({ children }: { readonly children: ReactNode }) {
  const { data } = useServiceOptions();
  return (
    <div className="flex flex-col gap-4">
      {data?.password_sign_in !== "off" && children}
      <ProviderLink next="/" />
    </div>
  );
}
