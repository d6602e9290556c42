import { useEffect, useState } from "preact/hooks";
import { api, sentenceOf } from "./api.ts";
import { Ask } from "./pages/ask/ask.tsx";
import { Keys } from "./pages/keys/keys.tsx";
import { Memories } from "./pages/memories/memories.tsx";
import { MemoryPage } from "./pages/memory/memory.tsx";
import { Review } from "./pages/review/review.tsx";
import { SIGN_IN, SignIn } from "./pages/sign-in.tsx";
import { Usage } from "./pages/usage/usage.tsx";
import { hrefOf, route } from "./route.ts";
import { account } from "./session.ts";
import { Icon } from "./ui/icons.tsx";
import { Mark } from "./ui/mark.tsx";
import { Failed } from "./ui/notice.tsx";

const PAGES = [
  { name: "memories", label: "Memories", Page: MemoriesOrOne },
  { name: "ask", label: "Ask", Page: Ask },
  { name: "review", label: "Review", Page: Review },
  { name: "keys", label: "Keys", Page: Keys },
  { name: "usage", label: "Usage", Page: Usage },
] as const;

function MemoriesOrOne() {
  const { id } = route.value;
  return id === null ? <Memories /> : <MemoryPage key={id} id={id} />;
}

/** The sign-in page, or the page of the address beside the menu. */
export function App() {
  const isSigningIn = route.value.page === SIGN_IN;
  useEffect(() => {
    if (isSigningIn) return;
    api.session.getSession({}).then(
      ({ companyId }) => {
        account.value = companyId;
      },
      () => {
        account.value = null;
      },
    );
  }, [isSigningIn]);
  if (isSigningIn || account.value === null) return <SignIn />;
  if (account.value === undefined) return null;
  return <Shell companyId={account.value} />;
}

function Shell({ companyId }: { readonly companyId: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const page = PAGES.find(({ name }) => name === route.value.page) ?? PAGES[0];
  useEffect(() => {
    document.title = `${page.label} · Agent Memory`;
  }, [page]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header class="side">
        <p class="brand">
          <Mark />
          Agent Memory
        </p>
        <nav aria-label="Pages">
          {PAGES.map(({ name, label }) => (
            <a
              key={name}
              href={hrefOf(name)}
              aria-current={name === page.name ? "page" : undefined}
            >
              <Icon name={name} />
              {label}
            </a>
          ))}
        </nav>
        <div class="who">
          <span class="truncated" title={companyId}>
            {companyId}
          </span>
          <button
            type="button"
            class="quiet"
            onClick={() => signOut().catch((error) => setProblem(sentenceOf(error)))}
          >
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {problem !== null && <Failed>You are still signed in. {problem}</Failed>}
        <page.Page key={page.name} />
      </main>
    </div>
  );
}

/** Here, and at the identity provider where one signed in. Rejects while one is signed in. */
async function signOut(): Promise<void> {
  const { endSessionUrl } = await api.session.signOut({});
  if (endSessionUrl === undefined) account.value = null;
  else location.assign(endSessionUrl);
}
