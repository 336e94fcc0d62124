import { ArrowUpRight } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import type { DocumentPlace } from '#contract/document-path.ts';
import { loginPathFor } from '../../lib/continuation.ts';
import { useSession } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { buttonClasses } from '../../ui/button.tsx';

/** The same for a page that no one has indexed and for one in someone else's module. */
export function DocumentNotFound({ place: { address } }: { place: DocumentPlace }) {
  const location = useLocation();
  const user = useSession().data?.user;
  const mayAdd = useSelectedTeam()?.isWriter ?? true;
  const isWeb = /^https?:\/\//i.test(address) && URL.canParse(address);
  return (
    <div className="page flex flex-1 flex-col justify-center py-20">
      <p className="tabular mb-3 font-medium font-mono text-lamp text-sm">404</p>
      <h1 className="heading-page">This page is not indexed</h1>
      <p className="wrap-anywhere mt-2 max-w-prose text-md text-soft">
        {address === '' ? (
          "Put a page's address after /document/."
        ) : (
          <>
            <code className="font-mono text-ink text-sm">{address}</code> is not in any documentation that you can read.
          </>
        )}
      </p>
      <p className="mt-2 max-w-prose text-soft">
        {user
          ? mayAdd
            ? 'Index its site or repository to make it available to you and your agents.'
            : 'Ask a writer in your team to index its site or repository.'
          : 'If it is your documentation, sign in to read it.'}
      </p>
      <div className="mt-7 flex flex-wrap gap-2">
        {user && mayAdd && isWeb && (
          <Link to={`/resources?source=${encodeURIComponent(address)}#add`} className={buttonClasses('action')}>
            Add this documentation
          </Link>
        )}
        {user === null && (
          <Link to={loginPathFor(location)} className={buttonClasses('action')}>
            Sign in
          </Link>
        )}
        {user && (
          <Link to="/search" className={buttonClasses('plain')}>
            Search instead
          </Link>
        )}
        {isWeb && (
          <a href={address} target="_blank" rel="noopener noreferrer nofollow" className={buttonClasses('plain')}>
            Open the original
            <ArrowUpRight aria-hidden className="size-4" />
          </a>
        )}
      </div>
    </div>
  );
}
