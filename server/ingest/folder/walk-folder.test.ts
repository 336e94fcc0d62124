import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderFile, type FolderPdf, includesOfFolder, walkFolder } from './index.ts';
import type { WalkOptions } from './walk-folder.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'walk-folder-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function put(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function walk(options: WalkOptions = {}): Promise<{ paths: string[]; skipped: Record<string, string> }> {
  const skipped: Record<string, string> = {};
  const paths: string[] = [];
  for await (const file of walkFolder(root, { onSkip: (path, reason) => (skipped[path] = reason), ...options }))
    paths.push(file.path);
  return { paths, skipped };
}

async function collect(files: AsyncIterable<FolderFile | FolderPdf>): Promise<FolderFile[]> {
  const all: FolderFile[] = [];
  for await (const file of files) if (file.format !== 'pdf') all.push(file);
  return all;
}

describe('walkFolder', () => {
  it('finds documentation of every kind, ordered by path, and gives reasons for skipped files', async () => {
    await put({
      'README.md': '# a',
      'b.mdx': 'b',
      'docs/Z.rst': 'z',
      'docs/a.html': '<p>a',
      'docs/notes.txt': 'n',
      'docs/plan.org': '* plan',
      'lib/Depot.pod': '=head1 NAME',
      'src/main.ts': 'code',
      'logo.png': 'x',
      'requirements.txt': 'a==1',
      '.git/config.txt': 'x',
      'node_modules/a/README.md': 'x',
    });
    const { paths, skipped } = await walk();
    expect(paths).toEqual([
      'README.md',
      'b.mdx',
      'docs/Z.rst',
      'docs/a.html',
      'docs/notes.txt',
      'docs/plan.org',
      'lib/Depot.pod',
    ]);
    expect(skipped).toEqual({
      '.git': 'hidden',
      'logo.png': 'not-documentation',
      node_modules: 'ignored-folder',
      'requirements.txt': 'not-documentation',
      'src/main.ts': 'not-documentation',
    });
  });

  it('reads data files and numbered files only if they are documentation', async () => {
    await put({
      'api.json': '{"info": {}, "openapi": "3.1.0"}',
      'swagger.yml': 'swagger: "2.0"',
      'tsconfig.json': '{}',
      'tour.ipynb': '{"cells": []}',
      'man/tool.1': '.TH tool 1\n',
      'notes.2': 'Not a manual',
    });
    const { paths, skipped } = await walk();
    expect(paths).toEqual(['api.json', 'man/tool.1', 'swagger.yml', 'tour.ipynb']);
    expect(skipped).toEqual({ 'notes.2': 'not-documentation', 'tsconfig.json': 'not-documentation' });
  });

  it('reads files without an extension if their names are in capitals', async () => {
    for (const name of ['FAQ', 'KNOWN_BUGS', 'README', 'Rakefile', 'tool']) await put({ [name]: 'Some text.' });
    expect((await walk()).paths).toEqual(['FAQ', 'KNOWN_BUGS', 'README']);
  });

  it('skips test data, but no documentation about tests', async () => {
    const data = [
      'tests/unit/_snaps/a.md',
      'test/fixtures/site/index.html',
      'pkg/testdata/a.rst',
      'spec/fixtures/b.md',
      'pkg/docs/src/test/data/a.md',
      'packages/docs/test/fixtures/a.md',
    ];
    const kept = [
      'docs/test/data/a.md',
      'web/docs/cli/test/data/a.md',
      'tests/README.md',
      'spec/data/a.md',
      'testing/assets/a.md',
    ];
    for (const path of [...data, ...kept]) await put({ [path]: '# Text' });
    const { paths, skipped } = await walk();
    expect(paths.sort()).toEqual(kept.sort());
    expect(skipped).toEqual(Object.fromEntries(data.map((path) => [path, 'not-documentation'])));
  });

  it('gives each file its path, bytes and format', async () => {
    await put({ 'a b.md': '# ü' });
    const [file] = await collect(walkFolder(root));
    expect(file?.path).toBe('a b.md');
    expect(new TextDecoder().decode(file?.bytes)).toBe('# ü');
    expect(file?.format).toBe('markdown');
  });

  it('reads files that are compressed one by one, as on Debian', async () => {
    await put({
      'a.md.gz': gzipSync('# ü'),
      'NEWS.gz': gzipSync('News'),
      'tool.1.gz': gzipSync('.TH TOOL 1'),
      'b.md.gz': 'not compressed',
      'twice.md': 'one',
      'twice.md.gz': gzipSync('two'),
      'c.md.gz': gzipSync('c'.repeat(20_000)),
      'd.txt.gz': gzipSync('# d').subarray(0, 12),
      'e.tar.gz': gzipSync('e'),
      'f.pdf.gz': gzipSync('%PDF-1.4'),
      'g.pdf.gz': 'not compressed',
      'h.pdf.gz': gzipSync('h'.repeat(20_000)),
    });
    const { paths, skipped } = await walk({ bytesMax: 10_000, pdf: { countMax: 1, bytesMax: 10_000 } });
    expect(paths).toEqual(['NEWS', 'a.md', 'b.md', 'f.pdf', 'tool.1.gz', 'twice.md']);
    expect(skipped).toEqual({
      'c.md.gz': 'too-large',
      'd.txt.gz': 'unreadable',
      'e.tar.gz': 'not-documentation',
      'g.pdf.gz': 'unreadable',
      'h.pdf.gz': 'too-large',
      'twice.md.gz': 'not-documentation',
    });
    const files = await collect(walkFolder(root));
    expect(new TextDecoder().decode(files.find(({ path }) => path === 'a.md')?.bytes)).toBe('# ü');
    for await (const file of walkFolder(root, { pdf: { countMax: 1, bytesMax: 10_000 } })) {
      if (file.format !== 'pdf' || !('pieces' in file)) continue;
      for (const read of [file.pieces(), file.pieces()]) {
        const pieces: Uint8Array[] = [];
        for await (const piece of read) pieces.push(piece);
        expect(Buffer.concat(pieces).toString()).toBe('%PDF-1.4');
      }
      expect(file.byteLength).toBe(8);
    }
  });

  it('reads included files only within the folder', async () => {
    await put({ 'docs/a.md': 'A', 'outside.md': 'B' });
    const read = await includesOfFolder(join(root, 'docs'));
    expect(await Promise.all(['a.md', '../docs/a.md', '../outside.md', '../../../etc/hosts'].map(read))).toEqual([
      'A',
      'A',
      undefined,
      undefined,
    ]);
  });

  it('follows no links, out of the folder or in a circle', async () => {
    await put({ 'docs/a.md': 'a' });
    await symlink('/etc', join(root, 'etc'));
    await symlink('/etc/hostname', join(root, 'hostname.txt'));
    await symlink(root, join(root, 'docs/self'));
    const { paths, skipped } = await walk();
    expect(paths).toEqual(['docs/a.md']);
    expect(skipped).toEqual({ etc: 'symbolic-link', 'hostname.txt': 'symbolic-link', 'docs/self': 'symbolic-link' });
  });

  it('skips files that are too large, empty or binary', async () => {
    await put({
      'large.md': 'x'.repeat(101),
      'fits.md': 'x'.repeat(100),
      'empty.md': '',
      'binary.txt': new Uint8Array([65, 0, 66]),
    });
    const { paths, skipped } = await walk({ bytesMax: 100 });
    expect(paths).toEqual(['fits.md']);
    expect(skipped).toEqual({ 'binary.txt': 'binary', 'empty.md': 'empty', 'large.md': 'too-large' });
  });

  it('reads an API description larger than the page limit', async () => {
    const padding = 'x'.repeat(5_000_001);
    await put({
      'api.json': `{"openapi":"3.1.0","x-note":"${padding}"}`,
      'page.md': padding,
      'data.json': `"${padding}"`,
    });
    const { paths, skipped } = await walk();
    expect(paths).toEqual(['api.json']);
    expect(skipped).toEqual({ 'data.json': 'not-documentation', 'page.md': 'too-large' });
  });

  it('skips the sources next to pages built from them', async () => {
    await put({ 'index.html': '<p>a', '_sources/index.rst.txt': 'a', 'guide/_sources/a.rst': 'a' });
    const { paths } = await walk();
    expect(paths).toEqual(['guide/_sources/a.rst', 'index.html']);
  });

  it('refuses a missing folder and stops when aborted', async () => {
    await expect(collect(walkFolder(join(root, 'missing')))).rejects.toThrow('ENOENT');
    await put({ 'a.md': 'a' });
    await expect(collect(walkFolder(root, { signal: AbortSignal.abort(new Error('cancelled')) }))).rejects.toThrow(
      'cancelled',
    );
  });
});
