import { describe, expect, test } from 'vitest';

interface Fault {
  line: number;
  phrase: string;
}
// The check is a plain JavaScript script.
const { proseFaults } = (await import(new URL('../../scripts/check-prose.mjs', import.meta.url).href)) as {
  proseFaults(file: string, text: string): Fault[];
};

describe('check-prose finds', () => {
  test.each([
    ['a comment', 'a.ts', 'const a = 1;\n// Kept while somebody looks.', 2, 'somebody'],
    ['a later line of a block', 'a.ts', '/**\n * First line.\n * A run under way.\n */', 3, 'under way'],
    ["a function's docstring", 'a.ts', '/** Answers the id. */\nexport function idOf() {}', 1, 'Answers '],
    ['the title of a test', 'a.test.ts', "test('nobody else sees it', () => {});", 1, 'nobody'],
    ['a template', 'a.ts', 'const text = `Sent to $' + '{name} and whoever asks`;', 1, 'whoever'],
    ['text of a screen', 'a.tsx', 'const a = (\n  <p>\n    It has to be there.\n  </p>\n);', 3, 'has to be'],
    ['text after an apostrophe', 'a.tsx', "<p>\n  It's here.\n  Everybody sees it.\n</p>", 3, 'Everybody'],
    ['a document', 'a.md', '# Title\n\nThe fault is told at once.', 3, 'is told'],
  ])('%s', (_, file, text, line, phrase) => {
    expect(proseFaults(file, text)).toMatchObject([{ line, phrase }]);
  });

  test.each([
    ['names in code', 'a.ts', 'const somebody = person.nobody;'],
    ['a string without spaces', 'a.ts', "const kind = 'nobody';"],
    ['listings of a document', 'a.md', '```sh\necho nobody\n```\n\nRun as `nobody`.'],
    ['"whether" of a property', 'a.ts', 'interface A {\n  /** Whether it may be read. */\n  isOpen: boolean;\n}'],
  ])('check-prose ignores %s', (_, file, text) => {
    expect(proseFaults(file, text)).toEqual([]);
  });
});
