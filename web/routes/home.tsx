import '../features/home/home.css';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LiveSearch } from '../features/home/live-search.tsx';
import { Why } from '../features/home/why.tsx';
import { commands } from '../lib/commands.ts';
import { publicPage } from '../lib/public-page-head.tsx';
import { useProductName, useSession } from '../lib/session.ts';
import { buttonClasses } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';

/** An introduction, a live search with its cost, and the two ways to start, on one screen. */
function HomeScreen() {
  const productName = useProductName();
  return (
    <div className="home-ground flex flex-1 flex-col">
      <div className="frame grid gap-x-14 gap-y-10 py-10 md:py-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.12fr)] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 lg:pt-18">
          <h1 className="font-display text-4xl text-ink tracking-[-0.03em] sm:text-6xl xl:text-7xl">
            <span className="lit-words">Context</span> for your agent
          </h1>
          <p className="mt-5 max-w-[33rem] text-pretty text-lg text-soft">
            {productName} indexes the documentation you build with, public and private, and answers coding agents over
            MCP: the passage that holds the answer, not the page around it.
          </p>
        </div>
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <LiveSearch />
        </div>
        <WaysToStart />
      </div>
      <Why />
    </div>
  );
}

export default publicPage('/', HomeScreen);

/** The two ways to start: self-hosting, or an account on this installation. */
function WaysToStart() {
  const isSignedIn = Boolean(useSession().data?.user);
  return (
    <div className="grid content-start gap-x-8 gap-y-6 sm:grid-cols-[repeat(2,minmax(0,1fr))]">
      <Way title="Run it yourself" text="One process, no other service, no account.">
        <CodeBlock code={commands.start} isCommand label="Command that starts the server" />
      </Way>
      <Way
        title="Use this installation"
        text={
          isSignedIn
            ? 'Connect your agent with a key or through the browser.'
            : 'Create an account and a key, then connect your agent.'
        }
      >
        <div className="flex h-10 items-center gap-4">
          <Link to={isSignedIn ? '/keys' : '/signup'} className={buttonClasses('action')}>
            {isSignedIn ? 'Get a key' : 'Sign up'}
          </Link>{' '}
          <Link
            to={isSignedIn ? '/install' : '/mcp'}
            className="group inline-flex min-h-6 items-center gap-1.5 whitespace-nowrap rounded-xs font-medium text-lamp text-sm"
          >
            {isSignedIn ? 'Install' : 'How to connect'}
            <ArrowRight aria-hidden className="size-3.5 transition-transform group-hover:translate-x-0.5" />
          </Link>
        </div>
      </Way>
    </div>
  );
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h2 className="heading-part">{title}</h2>
      {children}
      <p className="text-faint text-sm">{text}</p>
    </div>
  );
}
