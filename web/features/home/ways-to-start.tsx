import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { commands } from '../../lib/commands.ts';
import { useSession } from '../../lib/session.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';

/** The two ways to begin: a machine of one's own, or an account on this one. */
export function WaysToStart() {
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
