import { Code, ConnectError } from "@connectrpc/connect";
import { useEffect, useState } from "preact/hooks";
import { account, api, isAway, isSignedOut, sentenceOf } from "./api.ts";
import { Ask } from "./pages/ask/ask.tsx";
import { Keys } from "./pages/keys/keys.tsx";
import { Log, OneCall } from "./pages/log/log.tsx";
import { Memories } from "./pages/memories/memories.tsx";
import { MemoryPage } from "./pages/memory/memory.tsx";
import { OpenCount, Review } from "./pages/review/review.tsx";
import { SIGN_IN, SignIn } from "./pages/sign-in.tsx";
import { FrontDoor, Tenants } from "./pages/tenants/tenants.tsx";
import { Usage } from "./pages/usage/usage.tsx";
import { go, hrefOf, route, takeWanted } from "./route.ts";
import { Dialog, Question } from "./ui/dialog.tsx";
import { TextField } from "./ui/field.tsx";
import { Show, useLoad } from "./ui/load.tsx";
import { Brand, Button, Empty, Failed, Icon, useTitle } from "./ui/page.tsx";
import { titleOf } from "./ui/value.tsx";

const PAGES = [
  { name: "tenants", label: "Tenants", Page: Tenants },
  { name: "memories", label: "Memories", Page: Memories, One: MemoryPage },
  { name: "ask", label: "Ask", Page: Ask },
  { name: "review", label: "Review", Page: Review },
  { name: "log", label: "Log", Page: Log, One: OneCall },
  { name: "keys", label: "Keys", Page: Keys },
  { name: "usage", label: "Usage", Page: Usage },
] as const;
const FRONT = { name: "", label: "Welcome", Page: FrontDoor } as const;
const NO_PAGE = { name: "", label: "No such page", Page: NoPage } as const;

function NoPage() {
  return (
    <Empty title="There is no such page">
      All there is stands in the menu, and begins with <a href={hrefOf("tenants")}>Tenants</a>.
    </Empty>
  );
}

/** The sign-in page, or the page of the address beside the menu. */
export function App() {
  const isSigningIn = route.value.page === SIGN_IN;
  const session = useLoad(async () => {
    if (isSigningIn) return;
    try {
      account.value = (await api.session.getSession({})).companyId;
      // The identity provider leads back to the first page.
      if (route.value.page === "") go(takeWanted(), { replace: true });
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated) throw error;
      account.value = null;
    }
  }, [isSigningIn]);
  const { value: companyId } = account;
  return (
    <>
      <Away />
      {companyId === undefined && !isSigningIn && <Show of={session}>{() => null}</Show>}
      {(companyId === null || isSigningIn) && <SignIn />}
      {companyId && !isSigningIn && <Shell companyId={companyId} />}
      {companyId && isSignedOut.value && <SignedOut companyId={companyId} />}
    </>
  );
}

/** How often a service that is not reached is asked for. */
const RETRY_MS = 3_000;

/** Says that the service is not reached, until it is; what was cut off is then done again. */
function Away() {
  const { value: away } = isAway;
  useEffect(() => {
    if (!away) return;
    const ask = () => api.session.getSession({}).catch(() => {});
    const timer = setInterval(ask, RETRY_MS);
    return () => clearInterval(timer);
  }, [away]);
  return away ? (
    <Failed>
      The service cannot be reached. It is asked again every {RETRY_MS / 1_000} seconds.
    </Failed>
  ) : null;
}

/** Over the page, which keeps what was entered in it. */
function SignedOut({ companyId }: { readonly companyId: string }) {
  const goOn = async () => {
    const session = await api.session.getSession({});
    if (session.companyId !== companyId) location.reload();
    isSignedOut.value = false;
  };
  return (
    <Question
      title="You were signed out"
      action="Go on"
      onConfirm={goOn}
      onClose={(isDone) => {
        if (isDone) return;
        isSignedOut.value = false;
        account.value = null;
      }}
    >
      <p>
        A session ends after 12 hours without use.{" "}
        <a href="/dashboard/" target="_blank" rel="noopener">
          Sign in
        </a>{" "}
        in another tab, and go on here: what you entered is still there.
      </p>
    </Question>
  );
}

function Shell({ companyId }: { readonly companyId: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const { page: named, id, query } = route.value;
  const page = named === "" ? FRONT : (PAGES.find(({ name }) => name === named) ?? NO_PAGE);
  const tenant = query.get("tenant") ?? undefined;
  // A memory, a call and a question name their pages.
  const isNamed = id !== null || query.has("question");
  useTitle(isNamed ? null : page.label);
  const [isJumping, setJumping] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isJump = (event.ctrlKey || event.metaKey) && event.key === "k";
      if (isJump && document.querySelector("dialog") === null) {
        event.preventDefault();
        setJumping(true);
      }
      if (event.key !== "/" || (event.target as Element).closest("input, select, textarea")) return;
      event.preventDefault();
      document.querySelector<HTMLInputElement>("main form input, main search input")?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <div class="shell">
      <Button look="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </Button>
      <header class="side">
        <Brand />
        <nav aria-label="Pages">
          {PAGES.map(({ name, label }) => (
            <a
              key={name}
              href={hrefOf(name, null, { tenant })}
              aria-current={name === page.name ? "page" : undefined}
            >
              <Icon name={name} />
              {label}
              {name === "review" && <OpenCount />}
            </a>
          ))}
        </nav>
        {/* Whose memories the pages are about goes with from page to page, and back to all. */}
        {tenant !== undefined && named !== "tenants" && (
          <p class="switch">
            <a
              class="truncated"
              dir="auto"
              title={tenant}
              href={hrefOf("tenants", null, { tenant })}
            >
              {tenant}
            </a>
            <a href={hrefOf(named, null, { ...Object.fromEntries(query), tenant: undefined })}>
              <span aria-hidden="true">×</span>
              <span class="unseen">Leave this tenant</span>
            </a>
          </p>
        )}
        <div class="who tools">
          <Button
            look="quiet"
            title="Ctrl K"
            aria-keyshortcuts="Control+K"
            onClick={() => setJumping(true)}
          >
            Go to…
          </Button>
          <ThemeSwitch />
        </div>
        <div class="who">
          <span class="truncated" title={companyId}>
            {companyId}
          </span>
          <Button
            look="quiet"
            onClick={() => signOut().catch((error) => setProblem(sentenceOf(error)))}
          >
            Sign out
          </Button>
        </div>
      </header>
      {isJumping && <Jump onClose={() => setJumping(false)} />}
      <main id="main" tabIndex={-1}>
        {problem !== null && <Failed>You are still signed in. {problem}</Failed>}
        {id !== null && "One" in page ? (
          <page.One key={id} id={id} />
        ) : (
          <page.Page key={page.name} />
        )}
      </main>
    </div>
  );
}

/** Here, and at the identity provider where one signed in. Rejects while one is signed in. */
async function signOut(): Promise<void> {
  const { endSessionUrl } = await api.session.signOut({});
  // Loaded anew, the page holds nothing of the account.
  location.assign(endSessionUrl ?? "/dashboard/");
}

const MAX_TENANTS = 8;

/** Leads to a page or a tenant by what its name holds, or to what is searched or asked. */
function Jump({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const wanted = text.trim();
  const tenants = useLoad(
    async (signal) =>
      wanted === "" ? [] : (await api.tenants.listTenants({ search: wanted }, { signal })).tenants,
    [wanted],
  );
  const links: (readonly [string, string])[] = PAGES.filter(({ label }) =>
    label.toLowerCase().includes(wanted.toLowerCase()),
  ).map(({ name, label }) => [label, hrefOf(name)] as const);
  for (const { tenantId: tenant = "" } of tenants.value?.slice(0, MAX_TENANTS) ?? []) {
    links.push([tenant, hrefOf("memories", null, { tenant })]);
  }
  if (wanted !== "") {
    const found = hrefOf("memories", null, { search: wanted, all: "yes" });
    links.push([`Search for “${wanted}”`, found]);
    links.push([`Ask “${wanted}”`, hrefOf("ask", null, { question: wanted })]);
  }
  const open = (event: Event, href: string | undefined) => {
    event.preventDefault();
    if (href === undefined) return;
    onClose();
    go(href);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form onSubmit={(event) => open(event, links[0]?.[1])}>
        <TextField label="A page, a tenant or words" type="search" value={text} onText={setText} />
        <ul class="jump">
          {links.map(([label, href]) => (
            <li key={href}>
              <a dir="auto" href={href} onClick={(event) => open(event, href)}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}

const KEPT_AS = "agent-memory.theme";
const THEMES = ["system", "light", "dark"] as const;

const kept = () => localStorage.getItem(KEPT_AS) ?? THEMES[0];

/** The colours that were chosen in this browser; the styles go by the attribute. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = kept();
}

/** Chooses light or dark colours. */
function ThemeSwitch() {
  return (
    <select
      aria-label="Theme"
      defaultValue={kept()}
      onChange={({ currentTarget: { value } }) => {
        localStorage.setItem(KEPT_AS, value);
        applyTheme();
      }}
    >
      {THEMES.map((theme) => (
        <option key={theme} value={theme}>
          {titleOf(theme)}
        </option>
      ))}
    </select>
  );
}
