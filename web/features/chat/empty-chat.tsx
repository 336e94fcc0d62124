import { useQuery } from '@tanstack/react-query';
import { BookOpenText } from 'lucide-react';

import type { LibraryModule } from '#contract/library.ts';
import { modulesOptions } from '../../lib/library-queries.ts';
import { ActionLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

interface EmptyChatProps {
  workspace: string;
  isDemo: boolean;
  isSignedIn: boolean;
  moduleId: string | undefined;
  /** Name of the only module to search. */
  moduleName: string | undefined;
  onAsk: (question: string) => void;
}

const suggestionsShown = 4;

/** Shown before the first question: an introduction, and questions that the indexed sources can answer. */
export function EmptyChat({ workspace, isDemo, isSignedIn, moduleId, moduleName, onAsk }: EmptyChatProps) {
  const modules = useQuery(modulesOptions(workspace));
  const readable = modules.data?.filter(({ visibility }) => !isDemo || visibility === 'public');
  if (readable?.length === 0) return <NothingToAsk isSignedIn={isSignedIn} />;
  const asked = readable?.filter((module) => moduleId === undefined || module.moduleId === moduleId) ?? [];
  return (
    <div className="flex flex-1 flex-col gap-6 py-8 lg:justify-center">
      <div>
        <h1 className="heading-page">{moduleName === undefined ? 'Ask the documentation' : `Ask ${moduleName}`}</h1>
        <WhatAnswersRestOn isDemo={isDemo} />
      </div>
      <ul className="grid min-h-24 content-start gap-2 sm:grid-cols-2">
        {suggestionsFor(asked).map((question) => (
          <li key={question}>
            <button
              type="button"
              onClick={() => onAsk(question)}
              className="wrap-anywhere h-full w-full rounded-lg border border-line bg-surface px-3.5 py-3 text-left text-ink text-sm shadow-sm transition-colors duration-100 hover:border-line-strong hover:bg-hover"
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Rendered identically while the chat loads, so that text the user has begun to read does not change. */
export function WhatAnswersRestOn({ isDemo }: { isDemo: boolean }) {
  return (
    <p className="mt-2 max-w-prose text-pretty text-md text-soft">
      Every answer cites passages that you can open: each number links to its source.
      {isDemo && ' As a visitor, you can ask the public documentation. Nothing is stored.'}
    </p>
  );
}

function NothingToAsk({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <div className="flex flex-1 flex-col justify-center py-8">
      <h1 className="sr-only">Ask the documentation</h1>
      <EmptyState
        icon={<BookOpenText aria-hidden className="size-5" />}
        title="No documentation yet"
        action={
          isSignedIn ? (
            <ActionLink to="/resources#add">Add your first source</ActionLink>
          ) : (
            <ActionLink to="/login?cont=%2Fchat">Sign in</ActionLink>
          )
        }
      >
        {isSignedIn
          ? 'Index a documentation site, a repository or PDF files, then ask here.'
          : 'No public documentation is indexed. Sign in to ask your own.'}
      </EmptyState>
    </div>
  );
}

function suggestionsFor(modules: readonly LibraryModule[]): string[] {
  const templates = [
    (name: string) => `How do I get started with ${name}?`,
    (name: string) => `How is ${name} configured?`,
    (name: string) => `Show me a small example with ${name}`,
    (name: string) => `Which errors can ${name} return, and why?`,
  ];
  const [only] = modules;
  if (modules.length === 1 && only !== undefined) return templates.map((write) => write(only.displayName));
  return modules
    .slice(0, suggestionsShown)
    .map(({ displayName }, at) => templates[at % 2]?.(displayName) ?? displayName);
}
