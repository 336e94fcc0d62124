import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Which test files cover which list. `ids`: each case's id or name appears in a file, or in `elsewhere` with a file or
 * a reason. `rows`: the files run every row of the list; `by` and `classes` say which kinds of rows they support.
 */
interface Holding {
  programs: string[];
  how: 'ids' | 'names' | 'rows';
  by?: string;
  classes?: RegExp;
  elsewhere?: Record<string, string>;
}

const chat = 'test/security/chat-answers.test.ts';
const untrusted = 'test/security/untrusted-text.test.ts';
const viewer = 'test/e2e/documents.test.ts';
const guard = 'server/platform/outbound/address-guard.test.ts';
const doors = 'test/security/ssrf-doors.test.ts';
const keys = 'server/features/keys/api-keys.test.ts';
const ownKeys = 'test/security/api-keys.test.ts';
const headers = 'test/security/headers.test.ts';
const uploads = 'test/security/pdf-uploads.test.ts';
const pdfSets = 'server/features/pdf-sets/pdf-sets.test.ts';

const holdings: Record<string, Holding> = {
  'api-keys': {
    programs: [ownKeys],
    how: 'rows',
    by: 'class',
    classes: /^(valid-shape|bad-checksum|bad-shape)$/,
    elsewhere: {
      ...{ 'key-0019': keys, 'key-0020': ownKeys, 'key-0021': keys, 'key-0022': keys, 'key-0023': ownKeys },
      ...{ 'key-0024': ownKeys, 'key-0025': ownKeys, 'key-0026': keys, 'key-0027': keys },
      'key-0028': ownKeys,
    },
  },
  auth: {
    programs: ['test/security/auth.test.ts'],
    how: 'ids',
    elsewhere: {
      'auth-0026': 'test/oauth/endpoints.test.ts',
      ...Object.fromEntries(
        ['34', '35', '36', '37', '38', '39'].map((at) => [`auth-00${at}`, 'test/mcp/sessions.test.ts']),
      ),
    },
  },
  charset: { programs: ['server/ingest/extract/decode-html.test.ts'], how: 'rows' },
  commonmark: { programs: [untrusted], how: 'rows' },
  'data-lifecycle': {
    programs: ['test/security/data-lifecycle.test.ts', 'test/security/migrations-forward.test.ts'],
    how: 'ids',
    elsewhere: {
      'data-0004': 'server/features/billing/billing.test.ts',
      'data-0006': 'test/http/callables.test.ts',
      'data-0011': 'passages are in files that no migration touches: docs/operate/backup.md',
      'data-0012': 'test/ports/db-migrations.test.ts',
      'data-0013': 'test/ports/db-migrations.test.ts',
      'data-0014': 'test/security/move.test.ts',
      'data-0015': 'docs/operate/security.md',
    },
  },
  'headers-and-http': {
    programs: [headers],
    how: 'ids',
    elsewhere: {
      // The test file contains the pages as a table.
      ...Object.fromEntries(['1', '2', '3', '4', '5', '6', '7'].map((at) => [`header-000${at}`, headers])),
      'header-0008': uploads,
      'header-0009': 'test/http/static-files.test.ts',
      ...{ 'header-0010': headers, 'header-0012': headers, 'header-0013': headers },
    },
  },
  'hostile-origin': {
    programs: ['server/ingest/crawl/hostile-answers.test.ts', 'server/ingest/crawl/hostile-sites.test.ts'],
    how: 'names',
    elsewhere: {
      'origin-0052': 'server/ingest/crawl/host-gate.test.ts',
      'origin-0053': 'server/ingest/crawl/crawl-again.test.ts',
    },
  },
  'html-encoding-sniff': { programs: ['server/ingest/extract/decode-html.test.ts'], how: 'rows' },
  'html-malformed': { programs: ['server/ingest/extract/hostile-input.test.ts'], how: 'rows' },
  'invitations-and-seats': { programs: ['test/security/invitations.test.ts'], how: 'ids' },
  leaks: {
    programs: ['test/security/leaks.test.ts'],
    how: 'rows',
    by: 'class',
    classes: /^(application-log|error-report-sent-to-the-error-service|HTTP-error-body|error-service|front-end|core)$/,
    elsewhere: { 'leak-0039': 'server/platform/log.test.ts' },
  },
  'markdown-benign': { programs: [untrusted], how: 'rows' },
  'naughty-strings': { programs: ['test/security/naughty-strings.test.ts'], how: 'rows' },
  'open-redirect': { programs: ['test/security/open-redirect.test.ts', 'test/e2e/navigation.test.ts'], how: 'rows' },
  'pdf-index': { programs: ['test/security/pdf-files.test.ts'], how: 'rows' },
  'permission-matrix': { programs: ['test/security/permission-matrix.test.ts'], how: 'names', by: 'call' },
  'prompt-injection': {
    programs: ['test/security/prompt-injection.test.ts', 'server/features/chat/model-prompt.test.ts'],
    how: 'rows',
  },
  'rate-and-quota': { programs: ['test/security/rate-and-quota.test.ts'], how: 'ids' },
  robots: { programs: ['server/ingest/crawl/robots-rules.test.ts'], how: 'rows' },
  'ssrf-dns': { programs: ['server/platform/outbound/outbound-guard.test.ts'], how: 'rows' },
  'ssrf-literal': {
    programs: [guard, doors],
    how: 'rows',
    by: 'expect',
    classes: /^(block|reject|policy|allow|allow-name|allow-or-block)$/,
  },
  'ssrf-metadata-urls': { programs: [guard, doors], how: 'rows' },
  'ssrf-redirect-and-references': {
    programs: ['server/ingest/crawl/hostile-sites.test.ts', 'server/platform/outbound/outbound-guard.test.ts'],
    how: 'rows',
    by: 'class',
    // The test file contains the redirect chains as a table.
    classes: /^(?!git-|oauth-metadata-url|webhook-or-avatar-url)/,
    elsewhere: {
      ...{ 'ssrf-redir-0033': doors, 'ssrf-redir-0034': doors, 'ssrf-redir-0035': doors, 'ssrf-redir-0036': doors },
      ...{ 'ssrf-redir-0038': doors, 'ssrf-redir-0039': doors },
    },
  },
  'tenant-isolation': { programs: ['test/security/tenant-isolation.test.ts'], how: 'ids' },
  'text-pumps': {
    programs: ['test/security/addresses-and-pumps.test.ts', untrusted, 'server/ingest/parse/parse-pool.test.ts'],
    how: 'rows',
    by: 'class',
    classes: /^(markdown|html|robots|url|other|query|code|sitemap|rss)$/,
  },
  'upload-content': {
    programs: [uploads],
    how: 'rows',
    by: 'id',
    classes: /^upload-00(18|19|20|21|22)$/,
    elsewhere: {
      ...{ 'upload-0001': 'test/security/pdf-files.test.ts', 'upload-0002': 'test/security/pdf-files.test.ts' },
      ...Object.fromEntries(
        ['03', '04', '05', '06', '07', '08', '09', '10', '11'].map((at) => [
          `upload-00${at}`,
          'no archive, document or picture is taken: what is no PDF is refused by its first bytes',
        ]),
      ),
      ...{ 'upload-0012': pdfSets, 'upload-0013': pdfSets, 'upload-0014': pdfSets, 'upload-0015': uploads },
      ...{ 'upload-0016': uploads, 'upload-0017': pdfSets, 'upload-0023': uploads, 'upload-0024': uploads },
      'upload-0025': 'no scan is promised, and nothing in a file is run: docs/operate/security.md',
      'upload-0026': uploads,
    },
  },
  'upload-names': { programs: [uploads], how: 'rows' },
  'url-parsing': { programs: ['test/security/addresses-and-pumps.test.ts'], how: 'rows' },
  'webhook-sequences': { programs: ['test/security/webhooks.test.ts'], how: 'rows' },
  'webhook-signatures': { programs: ['test/security/webhooks.test.ts'], how: 'rows' },
  'xss-html': { programs: [untrusted, chat], how: 'rows' },
  'xss-markdown': { programs: [untrusted, chat, viewer], how: 'rows' },
};

/** Lists for other test setups: faults, load and concurrency. */
const ofOtherRigs = /^(faults|load|races-and-idempotency)$/;

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(process.env['LECTERN_SHARED'] ?? join(root, '../shared'), 'security');
const sourceOf = (file: string) => readFileSync(join(root, file), 'utf8');
const casesOf = (list: string) =>
  readFileSync(join(folder, `${list}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

// A missing list fails on CI.
describe.skipIf(!existsSync(folder) && !process.env['CI'])('every attack list', () => {
  test('is assigned to tests', () => {
    const lists = readdirSync(folder).flatMap((name) => /^(.+)\.jsonl$/.exec(name)?.[1] ?? []);
    expect(lists.filter((list) => !ofOtherRigs.test(list)).sort()).toEqual(Object.keys(holdings).sort());
  });

  test.each(Object.entries(holdings))('%s', (list, holding) => {
    const { programs, elsewhere = {} } = holding;
    for (const program of programs) expect([program, existsSync(join(root, program))]).toEqual([program, true]);
    const sources = programs.map(sourceOf).join('\n');
    for (const program of programs) {
      if (holding.how !== 'ids') expect([program, sourceOf(program).includes(list)]).toEqual([program, true]);
    }
    // Paths must exist; anything else is a sentence with the reason.
    for (const [id, where] of Object.entries(elsewhere)) {
      if (/^\S+\/\S+$/.test(where)) expect([id, where, existsSync(join(root, where))]).toEqual([id, where, true]);
      else expect(where.split(' ').length).toBeGreaterThan(5);
    }
    const isHeld = (one: Record<string, unknown>) => {
      const id = String(one['id']);
      if (id in elsewhere) return true;
      if (holding.how === 'ids') return sources.includes(id);
      const kind = String(one[holding.by ?? 'name']);
      if (holding.how === 'names') return sources.includes(kind);
      return holding.classes === undefined || holding.classes.test(kind);
    };
    const cases = casesOf(list);
    expect(cases.filter((one) => !isHeld(one)).map(({ id }) => id)).toEqual([]);
    // Exceptions for cases that were removed from the list must be removed here.
    const ids = new Set(cases.map(({ id }) => String(id)));
    expect(Object.keys(elsewhere).filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('SECURITY.md', () => {
  const text = sourceOf('SECURITY.md');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

  test('links each promise to existing tests', () => {
    const promises = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('.test.ts)'));
    expect(promises.length).toBeGreaterThan(15);
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });

  test('links every test file of test/security', () => {
    const programs = readdirSync(join(root, 'test/security')).filter((name) => name.endsWith('.test.ts'));
    expect(programs.filter((name) => !links.includes(`test/security/${name}`))).toEqual([]);
  });
});
