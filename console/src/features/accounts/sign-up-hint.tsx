import { Link } from "@tanstack/react-router";
import { useServiceOptions } from "./options.ts";

/** How one gets an account here, and what to do without the password. */
export function SignUpHint() {
  const { data } = useServiceOptions();
  return (
    <>
      {data?.sign_up === "open" && (
        <p className="mb-2">
          No account yet?{" "}
          <Link to="/sign-up" className="text-accent underline underline-offset-2">
            Create one
          </Link>
        </p>
      )}
      <p>Forgot your password? The operator of this service can give you a link for a new one.</p>
    </>
  );
}
