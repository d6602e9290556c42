import { useEffect, useState } from "preact/hooks";
import { account, api, sentenceOf } from "../api.ts";
import { go, keepWanted, route, takeWanted } from "../route.ts";
import { Show, useLoad } from "../ui/load.tsx";
import { Brand, Failed } from "../ui/page.tsx";
import { Copied } from "../ui/value.tsx";

/** The page that a sign-in link leads to. */
export const SIGN_IN = "sign-in";

/** The page that the identity provider's answer leads to where it is refused. */
const SIGN_IN_FAILED = "sign-in-failed";

const REFUSALS: Readonly<Record<string, string>> = {
  refused: "The sign-in was refused, used before or took too long. Try again.",
  "no-account": "You have no account here. Ask the operator for one.",
  unavailable: "The identity provider cannot be reached. Try again later.",
};

/** Signs in by the link that the service printed, and says where to find one. */
export function SignIn() {
  const [problem, setProblem] = useState<string | null>(null);
  const { page, id: token } = route.value;
  const methods = useLoad((signal) => api.signIn.getSignInMethods({}, { signal }), []);
  const said = page === SIGN_IN_FAILED ? REFUSALS[token ?? ""] : problem;
  useEffect(() => {
    if (page !== "" && page !== SIGN_IN && page !== SIGN_IN_FAILED) keepWanted();
    if (page !== SIGN_IN || token === null) return;
    api.signIn
      .signIn({ token })
      .then(() => api.session.getSession({}))
      .then(({ companyId }) => {
        account.value = companyId;
      })
      .catch((error: unknown) => {
        setProblem(sentenceOf(error));
        account.value = null;
      })
      // The link works once, so it is taken out of the history.
      .then(() => go(takeWanted(), { replace: true }));
  }, [page, token]);
  return (
    <main class="sign-in">
      <Brand />
      <section class="card" aria-labelledby="sign-in">
        <h1 id="sign-in">Sign in</h1>
        {said && <Failed>{said}</Failed>}
        <Show of={methods}>
          {({ hasProvider, adminPort }) => (
            <>
              {hasProvider && (
                <a class="button primary" href="/dashboard/sign-in">
                  Sign in
                </a>
              )}
              <p>
                Open the link that the service printed when it started. It works once, for ten
                minutes. The operator prints another, for any account:
              </p>
              <Copied label="Command" text={commandFor(adminPort)} />
              <p class="hint">Where the service runs by Docker Compose:</p>
              <Copied label="Command for Docker Compose" text={COMPOSE_COMMAND} />
            </>
          )}
        </Show>
      </section>
    </main>
  );
}

const USUAL_ADMIN_PORT = 8081;
const COMMAND = "npm run -s admin -- sign-in-link ACCOUNT";

const COMPOSE_COMMAND = "docker compose exec memory node src/cli/main.ts sign-in-link ACCOUNT";

function commandFor(adminPort = USUAL_ADMIN_PORT): string {
  return (adminPort === USUAL_ADMIN_PORT ? "" : `ADMIN_PORT=${adminPort} `) + COMMAND;
}
