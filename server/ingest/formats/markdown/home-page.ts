import type { Draft } from '../draft.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { fieldsOf, listOf, parseData, textOf } from '../parsed-data.ts';

const settings = /^(?:hero|heroText|tagline|features):/;

/** Adds what a home page shows of its settings: name, words below it and features, as VitePress, VuePress and Starlight have them. */
export function addHomePage(draft: Draft, front: readonly string[], url: string): void {
  if (front[0]?.trimEnd() !== '---' || !front.some((line) => settings.test(line))) return;
  const fields = fieldsOf(parseData(front.slice(1, -1).join('\n'), url));
  const hero = fieldsOf(fields.hero);
  const name = [hero.name, hero.title, fields.heroText].map(textOf).find(Boolean) ?? '';
  draft.title ||= name;
  const paragraphs = [
    [name, hero.text],
    [hero.tagline ?? fields.tagline],
    ...listOf(fields.features).map((feature) => {
      const { title, details } = fieldsOf(feature);
      return [title, details];
    }),
  ];
  for (const parts of paragraphs) {
    const text = parts
      .map((part) => textOf(part).replace(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join(': ');
    draft.addText('paragraph', escapeMarkdown(text));
  }
}
