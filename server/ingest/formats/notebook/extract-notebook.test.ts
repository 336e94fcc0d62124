import { describe, expect, it } from 'vitest';
import { ParseError } from '../../parse/parse-error.ts';
import { extractNotebook } from './extract-notebook.ts';

const url = 'https://docs.example/guide/tour.ipynb';

const read = (notebook: unknown): { title: string; blocks: [string, string][] } => {
  const { title, blocks } = extractNotebook(JSON.stringify(notebook), { url });
  return { title, blocks: blocks.map(({ type, markdown }) => [type, markdown]) };
};

const code = (source: string, outputs: unknown[] = []): object => ({ cell_type: 'code', source, outputs });
const python = { language_info: { name: 'python' } };

describe('extractNotebook', () => {
  it('reads text and code in the kernel language, with the addresses of a notebook viewer', () => {
    const source = ['# A tour of `frames`\n', '\n', 'See [the other](other.ipynb).'];
    const cells = [{ cell_type: 'markdown', source }, code('import frames\n')];
    const document = extractNotebook(JSON.stringify({ nbformat: 4, metadata: python, cells }), { url });
    expect(document.title).toBe('A tour of frames');
    expect(document.blocks[0]).toMatchObject({ type: 'heading', anchor: 'A-tour-of-frames', identifiers: ['frames'] });
    expect(document.blocks[1]?.markdown).toBe('See [the other](https://docs.example/guide/other.ipynb).');
    expect(document.blocks[2]).toEqual({ type: 'code', markdown: '```python\nimport frames\n```', language: 'python' });
    expect(document.links.map((link) => link.url)).toEqual(['https://docs.example/guide/other.ipynb']);
  });

  it('reads the older format: worksheets, heading cells, a language per cell', () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Loading data' },
      { cell_type: 'code', language: 'julia', input: ['x = 1'], outputs: [{ output_type: 'pyout', text: ['1'] }] },
    ];
    expect(read({ nbformat: 3, metadata: {}, worksheets: [{ cells }] }).blocks).toEqual([
      ['heading', 'Loading data'],
      ['code', '```julia\nx = 1\n```'],
      ['code', '```text\n1\n```'],
    ]);
  });

  it('keeps the start of text outputs and omits images, HTML, warnings and object addresses', () => {
    const outputs = [
      { output_type: 'stream', name: 'stdout', text: ['\u001b[31mred\u001b[0m\n', '10%\r100%\n'] },
      { output_type: 'stream', name: 'stderr', text: 'a warning' },
      { output_type: 'display_data', data: { 'image/png': 'iVBO', 'text/plain': '<Figure size 640x480 with 1 Axes>' } },
      { output_type: 'execute_result', data: { 'text/html': '<b>x</b>', 'text/plain': ['a  b\n', '1  2'] } },
      { output_type: 'error', ename: 'KeyError', evalue: "'c'", traceback: ['long'] },
    ];
    expect(read({ cells: [code('f()', outputs)] }).blocks.slice(1)).toEqual([
      ['code', "```text\nred\n100%\na  b\n1  2\nKeyError: 'c'\n```"],
    ]);
    const long = [{ output_type: 'stream', name: 'stdout', text: 'line\n'.repeat(100_000) }];
    const [, output] = read({ cells: [code('f()', long)] }).blocks;
    expect(output?.[1].split('\n')).toHaveLength(33);
    expect(output?.[1]).toContain('line\n…\n```');
    // One long line or many short ones: each is enough to be cut.
    const printed = (text: string) => read({ cells: [code('f()', [{ output_type: 'stream', name: 'stdout', text }])] });
    expect(printed('x'.repeat(9_000)).blocks[1]?.[1]).toMatch(/^```text\nx{2000}\n…\n```$/);
    expect(printed('x\n'.repeat(99)).blocks[1]?.[1]).toMatch(/^```text\n(?:x\n){30}…\n```$/);
  });

  it('omits hidden cells and detects cells in another language', () => {
    const hidden = { ...code('secret()'), metadata: { tags: ['remove-cell'] } };
    expect(read({ metadata: python, cells: [hidden, code('%%bash\nls')] }).blocks).toEqual([
      ['code', '```bash\n%%bash\nls\n```'],
    ]);
  });

  it('accepts any value anywhere and refuses a damaged file with its reason', () => {
    const odd = {
      metadata: [],
      cells: [null, 1, { cell_type: 'code', source: { a: 1 }, outputs: 'x' }, { source: [] }],
    };
    expect(read(odd)).toEqual({ title: 'tour', blocks: [] });
    expect(() => extractNotebook('{"cells": [', { url })).toThrow(ParseError);
    expect(() => extractNotebook('{"cells": [', { url })).toThrow('is no notebook: its JSON is damaged');
  });
});
