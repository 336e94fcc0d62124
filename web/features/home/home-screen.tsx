import { ArrowRight, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { limits } from '#contract/limits.ts';
import { commands } from '../../lib/commands.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { formatCount } from '../../ui/quantities.ts';

export function HomeScreen() {
  const productName = useProductName();
  return (
    <div className="page flex flex-1 flex-col gap-16 py-14 md:gap-24 md:py-24">
      <section className="grid items-center gap-12 lg:grid-cols-[1.05fr_1fr] lg:gap-16">
        <div className="min-w-0">
          <h1 className="font-display text-4xl text-ink tracking-[-0.028em] md:text-6xl">Context for your agent</h1>
          <p className="mt-5 max-w-[34rem] text-pretty text-lg text-soft">
            {productName} indexes documentation on a machine you own and answers coding agents over MCP: the passage
            that holds the answer, in as few tokens as it takes.
          </p>
          <HomeSearch />
        </div>
        <Answer />
      </section>

      <section aria-labelledby="start">
        <h2 id="start" className="heading-part mb-5">
          Two commands to start
        </h2>
        <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
          <Step
            title="Start it"
            command={commands.start}
            label="Command that starts the server"
            text="One process, no other service, no account anywhere. It prints its address, a sign-in link and the configuration for your agent."
          />
          <Step
            title="Index what you build with"
            command={commands.index}
            label="Command that indexes a site"
            text="Any documentation site, or a folder of files. A second run fetches only what has changed."
          />
        </div>
      </section>
    </div>
  );
}

function HomeSearch() {
  const navigate = useNavigate();
  const isSignedIn = Boolean(useSession().data?.user);
  const [query, setQuery] = useState('');
  return (
    <div className="mt-8 max-w-[34rem]">
      <form
        role="search"
        action="/search"
        onSubmit={(event) => {
          event.preventDefault();
          void navigate(query.trim() === '' ? '/search' : `/search?${new URLSearchParams({ q: query.trim() })}`);
        }}
        className="flex h-12 items-center rounded-lg border border-line-field bg-surface pr-1.5 pl-4 shadow-md focus-within:border-lamp focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-lamp"
      >
        <Search aria-hidden className="mr-3 size-4.5 shrink-0 text-faint" />
        <input
          name="q"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          aria-label="Search documentation"
          placeholder="Search your documentation"
          autoComplete="off"
          maxLength={limits.queryCharactersMax}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-full w-full min-w-0 bg-transparent text-ink text-md outline-none placeholder:text-faint"
        />
        <button type="submit" className={buttonClasses('action')}>
          Search
        </button>
      </form>
      <div className="mt-4 flex flex-wrap gap-x-6 gap-y-2 font-medium text-sm">
        <MoreLink to={isSignedIn ? '/resources' : '/login'}>{isSignedIn ? 'Your resources' : 'Sign in'}</MoreLink>
        {isSignedIn && <MoreLink to="/keys">Connect an agent</MoreLink>}
      </div>
    </div>
  );
}

function MoreLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="group inline-flex min-h-6 items-center gap-1.5 rounded-xs text-lamp">
      {children}
      <ArrowRight aria-hidden className="size-3.5 transition-transform group-hover:translate-x-0.5" />
    </Link>
  );
}

interface StepProps {
  title: string;
  command: string;
  label: string;
  text: string;
}

function Step({ title, command, label, text }: StepProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <h3 className="font-medium text-ink text-md">{title}</h3>
      <CodeBlock code={command} isCommand label={label} />
      <p className="max-w-prose text-pretty text-soft">{text}</p>
    </div>
  );
}

/** What a call looks like: the shape is the product's, the page is this project's own. */
function Answer() {
  return (
    <figure className="min-w-0">
      <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-lg">
        <div className="flex items-center gap-2 border-line border-b bg-sunken px-4 py-2.5 font-mono text-xs">
          <span className="text-faint">agent</span>
          <span className="wrap-anywhere text-ink">how do I index a server on localhost</span>
        </div>
        <div className="flex flex-col gap-3 px-5 py-4">
          <p className="text-soft text-sm">
            Operate <span className="text-faint">›</span> Crawling <span className="text-faint">›</span>{' '}
            <span className="font-medium text-ink">Private addresses</span>
          </p>
          <p>Private addresses are refused when crawling or reading, except those you name, separated by commas:</p>
          <pre className="overflow-x-auto rounded-md border border-line bg-sunken px-3.5 py-2.5 font-mono text-sm">
            LECTERN_ALLOW_HOSTS=127.0.0.1:8080
          </pre>
        </div>
        <div className="flex items-center gap-3 border-line border-t px-5 py-3 text-faint text-sm">
          <span aria-hidden className="h-1.5 w-20 overflow-hidden rounded-full bg-hover">
            <span className="block h-full w-1 rounded-full bg-lamp" />
          </span>
          The passage, not the page
        </div>
      </div>
      <figcaption className="mt-3 text-faint text-xs">
        Measured against the {formatCount(limits.baselineTokens)} tokens an agent spends on a look-up without a
        documentation search.
      </figcaption>
    </figure>
  );
}
