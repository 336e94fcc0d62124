import { expect, test } from 'vitest';
import { newHeadings, withoutTitle } from './passages.tsx';

const lead = { headingPath: ['Install'], text: '# The guide\n\nWhat it is about.\n\n## Install\n\nRun it.' };
const inner = { headingPath: ['Install', 'On Linux'], text: 'Use the package.' };

test('a passage is shown without the page title, but with other headings', () => {
  expect(withoutTitle(lead.text, 'The guide')).toBe('What it is about.\n\n## Install\n\nRun it.');
  expect(withoutTitle(lead.text, 'Another')).toBe(lead.text);
});

test('a heading appears above its first passage, not above an earlier passage of the page', () => {
  expect(newHeadings('The guide', lead, undefined)).toEqual([]);
  expect(newHeadings('The guide', inner, lead)).toEqual([{ text: 'On Linux', depth: 1 }]);
  expect(newHeadings('The guide', inner, undefined)).toEqual([
    { text: 'Install', depth: 0 },
    { text: 'On Linux', depth: 1 },
  ]);
  expect(newHeadings('Install', inner, undefined)).toEqual([{ text: 'On Linux', depth: 1 }]);
});

test('a heading appears once if the passage starts with it or the previous passage ends with it', () => {
  const chapter = { headingPath: ['Functions', 'parse'], text: '# Functions\n\n## parse\n\nReads it.\n\n## print' };
  expect(newHeadings('The guide', chapter, inner)).toEqual([]);
  const next = { headingPath: ['Functions', 'print'], text: 'Writes it.' };
  expect(newHeadings('The guide', next, chapter)).toEqual([]);
  expect(newHeadings('The guide', { ...next, headingPath: ['Functions', 'print', 'Examples'] }, chapter)).toEqual([
    { text: 'Examples', depth: 2 },
  ]);
  const closed = { headingPath: ['Functions'], text: '## parse\n\n### Examples\n\nOne.\n\n## print' };
  expect(newHeadings('The guide', { ...next, headingPath: ['Functions', 'print', 'Examples'] }, closed)).toEqual([
    { text: 'Examples', depth: 2 },
  ]);
  const later = { headingPath: ['Functions', 'scan'], text: 'First this.\n\n## scan\n\nThen that.' };
  expect(newHeadings('The guide', later, chapter)).toEqual([{ text: 'scan', depth: 1 }]);
});
