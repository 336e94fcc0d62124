import { type ComponentProps, createContext, useContext, useMemo } from 'react';
import type { ChatCitation } from '#contract/chat.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { answerTree } from './answer-tree.ts';
import { CitationChip } from './citation-chip.tsx';

const Citations = createContext<readonly ChatCitation[]>([]);

/** The text of an answer, at any moment of its coming, with its citations as chips. */
export function AnswerMarkdown({ text, citations }: { text: string; citations: readonly ChatCitation[] }) {
  const plugins = useMemo(() => [answerTree(citations)], [citations]);
  return (
    <Citations value={citations}>
      <Markdown text={text} plugins={plugins} parts={parts} />
    </Citations>
  );
}

interface MarkProps extends ComponentProps<'sup'> {
  'data-citation'?: number | string;
}

function Mark({ 'data-citation': number, children }: MarkProps) {
  const citation = useContext(Citations).find((known) => known.number === Number(number));
  if (number === undefined || citation === undefined) return <sup>{children}</sup>;
  return <CitationChip citation={citation} />;
}

const parts = { sup: Mark };
