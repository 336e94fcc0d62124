import { LoaderCircle, Search, X } from 'lucide-react';
import { type RefObject, useEffect } from 'react';
import * as limits from '#contract/limits.ts';
import { Kbd } from '../../ui/kbd.tsx';

interface SearchBoxProps {
  inputRef: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (value: string) => void;
  onSubmit: () => void;
  /** Moves the focus from the box down to the first result. */
  onDown: () => void;
  isBusy: boolean;
}

export function SearchBox({ inputRef, value, onChange, onSubmit, onDown, isBusy }: SearchBoxProps) {
  useSlashKey(inputRef);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="group flex h-12 items-center gap-3 rounded-lg border border-line-field bg-surface pr-2 pl-4 shadow-sm focus-within:border-lamp focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-lamp"
    >
      {isBusy ? (
        <LoaderCircle aria-hidden className="size-4.5 shrink-0 animate-[turn_0.9s_linear_infinite] text-faint" />
      ) : (
        <Search aria-hidden className="size-4.5 shrink-0 text-faint" />
      )}
      <input
        ref={inputRef}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search documentation"
        aria-keyshortcuts="/"
        placeholder="What does your agent want to know?"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.queryCharactersMax}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            onDown();
          }
          if (event.key === 'Escape' && value !== '') onChange('');
        }}
        className="h-full w-full min-w-0 bg-transparent text-ink text-md outline-none placeholder:text-faint"
      />
      {value === '' ? (
        <span aria-hidden className="hidden pr-1.5 group-focus-within:hidden sm:block">
          <Kbd>/</Kbd>
        </span>
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            onChange('');
            inputRef.current?.focus();
          }}
          className="flex size-8 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </form>
  );
}

/** Focuses the box when "/" is pressed outside text fields. */
function useSlashKey(inputRef: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]'))
        return;
      event.preventDefault();
      inputRef.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [inputRef]);
}
