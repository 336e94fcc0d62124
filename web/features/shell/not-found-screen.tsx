import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useSession } from '../../lib/session.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { inputClasses } from '../../ui/field.tsx';

export function NotFoundScreen() {
  const { pathname } = useLocation();
  const isSignedIn = Boolean(useSession().data?.user);
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  return (
    <div className="page flex flex-1 flex-col justify-center py-20">
      <p className="tabular mb-3 font-medium font-mono text-lamp text-sm">404</p>
      <h1 className="heading-page">There is nothing at this address</h1>
      <p className="wrap-anywhere mt-2 max-w-prose text-md text-soft">
        <code className="font-mono text-ink text-sm">{pathname}</code> is misspelt, or what was there has moved.
      </p>
      <div className="mt-7 flex max-w-xl flex-wrap gap-2">
        {isSignedIn && (
          <form
            role="search"
            className="min-w-56 flex-1"
            onSubmit={(event) => {
              event.preventDefault();
              if (query.trim() !== '') void navigate(`/search?${new URLSearchParams({ q: query.trim() })}`);
            }}
          >
            <input
              type="search"
              aria-label="Search documentation"
              placeholder="Search documentation"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              className={inputClasses}
            />
          </form>
        )}
        <Link to="/" className={buttonClasses('plain')}>
          Go to the home page
        </Link>
      </div>
    </div>
  );
}
