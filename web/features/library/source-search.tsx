import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { limits } from '#contract/limits.ts';
import { Button } from '../../ui/button.tsx';
import { inputClasses } from '../../ui/input-classes.ts';
import { searchPath } from './source-path.ts';

/** Leads to the search screen, looking into this source alone. */
export function SourceSearch({ moduleId, displayName }: { moduleId: string; displayName: string }) {
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate(searchPath(moduleId, query.trim()));
  };
  return (
    <form role="search" aria-label={`Search in ${displayName}`} onSubmit={submit} className="flex gap-2">
      <div className="relative min-w-0 flex-1">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" />
        <input
          type="text"
          inputMode="search"
          enterKeyHint="search"
          aria-label={`Search in ${displayName}`}
          placeholder="Search in this source"
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.queryCharactersMax}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className={`${inputClasses} pl-9!`}
        />
      </div>
      <Button type="submit">Search</Button>
    </form>
  );
}
