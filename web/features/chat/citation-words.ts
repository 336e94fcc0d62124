import type { ChatCitation } from '#contract/chat.ts';

const previewCharactersMax = 400;

/** Title and last heading, or the address of a page without either. */
export function placeOf({ title, headingPath, url }: ChatCitation): string {
  const parts = [title, headingPath.at(-1) ?? ''].filter((part, at, all) => part !== '' && all.indexOf(part) === at);
  return parts.length > 0 ? parts.join(' › ') : url;
}

/** A passage as plain words, for a glance at it. */
export function passageWords(text: string): string {
  const words = text
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, ' ')
    .replace(/^§ .*$/gm, ' ')
    .replace(/[`*_#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= previewCharactersMax ? words : `${words.slice(0, previewCharactersMax).trimEnd()}…`;
}
