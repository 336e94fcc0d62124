import type { ChatMessage } from '#contract/chat.ts';
import { placeOf } from './citation-words.ts';
import { sourcesOf } from './turns.ts';

/** An answer with its sources as Markdown, for somewhere else: numbers lead to the original pages. */
export function answerAsMarkdown(answer: ChatMessage): string {
  const { cited } = sourcesOf(answer);
  if (cited.length === 0) return answer.text.trim();
  const lines = cited.map(
    (citation) => `${citation.number}. [${labelOf(placeOf(citation))}](${addressOf(citation.url)})`,
  );
  return `${answer.text.trim()}\n\nSources:\n\n${lines.join('\n')}\n`;
}

function labelOf(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&');
}

function addressOf(url: string): string {
  return url.replace(/[()\s<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
