import { problemOf } from "../../api/problem.ts";

/** Has a link for a new password mailed to an address, if it has an account. @throws Problem, Error for the person */
export async function askForLink(email: string): Promise<void> {
  if (email === "") throw new Error("Enter your e-mail address first.");
  const body = JSON.stringify({ email });
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/auth/forgot", { method: "POST", body, headers });
  if (!response.ok) throw await problemOf(response);
}
