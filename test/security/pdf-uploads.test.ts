import { describe, expect, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { pdfPartPath, pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration } from '#contract/teams.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';
import { manualAbout } from '../pdf-sets/pdf-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { makePdf } from '../services/make-pdf.ts';
import { until } from '../services/until.ts';
import { askAgent, openStage } from './team-cast.ts';

interface NameCase {
  id: string;
  name: string;
}
interface ContentCase {
  id: string;
  class: string;
  params: { startsWith?: string };
}

const names = attacksOf<NameCase>('upload-names.jsonl');
const contents = attacksOf<ContentCase>('upload-content.jsonl');

const createSet = async (rig: HttpRig, displayName = 'Manuals') =>
  (await rig.ask(pdfSetEndpoints.createPdfSet, { displayName })).set;

async function sendPart(
  rig: HttpRig,
  uploadId: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Sender = {},
  offset = 0,
) {
  const all = { 'content-type': 'application/octet-stream', ...rig.operator, ...headers };
  return rig.send(pdfPartPath(uploadId, offset), { method: 'PUT', headers: all, body });
}

async function upload(rig: HttpRig, setId: string, fileName: string, bytes: Uint8Array, headers?: Sender) {
  const start = { setId, fileName, sizeBytes: bytes.byteLength };
  const { uploadId } = (await rig.ask(pdfSetEndpoints.startPdfUpload, start)).upload;
  const response = await sendPart(rig, uploadId, new Uint8Array(bytes), headers);
  if (response.status !== 200) return { refused: (await response.json()) as { error: { code: string } }, uploadId };
  return { file: (await rig.ask(pdfSetEndpoints.completePdfUpload, { uploadId })).file, uploadId };
}

const blobKeys = (rig: HttpRig) =>
  rig.running.installation.base.db.query.selectFrom('pdfFiles').select('blobKey').execute();

describe('PDF sets over HTTP', () => {
  test('a manual in several files is indexed, searched by an agent, and read at the page found', async () => {
    const rig = await openHttpRig();
    const { setId } = await createSet(rig);
    const bytes = manualAbout('flange', 6);
    const start = { setId, fileName: 'Flange.pdf', sizeBytes: bytes.byteLength };
    const { uploadId } = (await rig.ask(pdfSetEndpoints.startPdfUpload, start)).upload;
    for (let offset = 0; offset < bytes.byteLength; offset += 4_000) {
      const part = new Uint8Array(bytes.subarray(offset, offset + 4_000));
      expect((await sendPart(rig, uploadId, part, {}, offset)).status).toBe(200);
    }
    await rig.ask(pdfSetEndpoints.completePdfUpload, { uploadId });
    await rig.ask(pdfSetEndpoints.indexPdfSet, { setId });
    const isIndexed = async () => (await rig.ask(pdfSetEndpoints.getPdfSet, { setId })).set.status === 'indexed';
    await until('indexed', isIndexed, 60_000);
    const { secret } = await rig.ask(keyEndpoints.createKey, { name: 'agent' });
    const query = 'sentence 7 of part 5 flange is set up';
    const found = await askAgent(rig, secret, 'lectern_search_documentation', { query });
    const address = /pdf:\/\/manuals\/flange\.pdf#page=\d+/.exec(found)?.[0];
    expect(address).toBeDefined();
    const read = await askAgent(rig, secret, 'lectern_read_url', {
      url: 'pdf://manuals/flange.pdf#page=6',
      budget: 600,
    });
    expect(read).toContain('of part 6');
  }, 120_000);

  test('invalid bodies are refused: a form, an oversized one, an incomplete one', async () => {
    const rig = await openHttpRig();
    const { setId } = await createSet(rig);
    const start = { setId, fileName: 'a.pdf', sizeBytes: limits.pdfFileBytesMax };
    const { uploadId } = (await rig.ask(pdfSetEndpoints.startPdfUpload, start)).upload;
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const unended = '--x\r\ncontent-disposition: form-data; name="f"; filename="a.pdf"\r\n\r\n%PDF-1.4 …';
    expect((await sendPart(rig, uploadId, unended, form)).status).toBe(400);
    expect((await sendPart(rig, uploadId, Buffer.alloc(limits.pdfPartBytesMax + 1))).status).toBe(413);
    expect((await rig.ask(pdfSetEndpoints.getPdfUpload, { uploadId })).upload.offset).toBe(0);
    expect((await sendPart(rig, uploadId, new Uint8Array(manualAbout('x')), { authorization: '' })).status).toBe(401);
    const out = await sendPart(rig, uploadId, 'later', {}, 4_000);
    expect([out.status, ((await out.json()) as { error: { message: string } }).error.message]).toEqual([
      409,
      'This upload continues at byte 0.',
    ]);
  });

  test('two users who upload the same file at once get two complete files', async () => {
    const rig = await openHttpRig();
    const { setId } = await createSet(rig);
    const bytes = manualAbout('flange');
    const made = await Promise.all([1, 2].map(() => upload(rig, setId, 'a.pdf', bytes)));
    const [one, other] = made.map(({ file }) => file);
    expect(one?.contentHash).toBe(other?.contentHash);
    expect(one?.address).not.toBe(other?.address);
  });

  test.each(['leaves a team', 'becomes a reader', 'has their account disabled'])(
    'if a member %s, their unfinished uploads are deleted and free their storage',
    async (how) => {
      const { rig, senders, team } = await openStage();
      const { teamId, membershipIds } = await team();
      const inTeam = { [teamHeader]: teamId };
      const [writer, admin] = [senders.writer, senders.admin].map((sender) => ({ ...sender, ...inTeam }));
      const { setId } = (await rig.ask(pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' }, writer)).set;
      const start = { setId, fileName: 'a.pdf', sizeBytes: limits.pdfFileBytesMax };
      const { uploadId } = (await rig.ask(pdfSetEndpoints.startPdfUpload, start, writer)).upload;
      expect(
        (await sendPart(rig, uploadId, new Uint8Array(manualAbout('x')), { ...writer, authorization: '' })).status,
      ).toBe(200);
      const membershipId = membershipIds.writer;
      const isDisabled = true;
      if (how.endsWith('disabled')) await rig.ask(operatorEndpoints.updatePerson, { whose: 'writer', isDisabled });
      else if (how === 'leaves a team') await rig.ask(teamAdministration.removeMember, { teamId, membershipId }, admin);
      else await rig.ask(teamAdministration.setMemberRole, { teamId, membershipId, role: 'reader' }, admin);
      expect((await rig.ask(pdfSetEndpoints.listPdfSets, {}, admin)).storage.usedBytes).toBe(0);
      const { base } = rig.running.installation;
      const given = await base.db.query.selectFrom('blobDeletions').select('prefix').execute();
      const prefixes = given.map(({ prefix }) => prefix).sort();
      expect(prefixes).toEqual([`pdfs/${setId}/files/${uploadId}.pdf`, `pdfs/${setId}/parts/${uploadId}/`]);
    },
  );
});

describe.skipIf(names.length === 0)('hostile file names', () => {
  test('are displayed as text, and never determine a storage path or an address', async () => {
    const rig = await openHttpRig();
    let set = await createSet(rig);
    const bytes = makePdf({ pages: [[{ text: 'Some text', x: 72, y: 700 }]] });
    for (const { id, name } of names) {
      if (name.length > limits.pdfFileNameCharactersMax) {
        const start = { setId: set.setId, fileName: name, sizeBytes: 10 };
        expect((await rig.refusal(pdfSetEndpoints.startPdfUpload, start)).code).toBe('invalid-input');
        continue;
      }
      const { file } = await upload(rig, set.setId, name, bytes);
      const shown = file?.name ?? '';
      expect([id, /[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]|[\\/]/u.test(shown), shown.length > 0]).toEqual([
        id,
        false,
        true,
      ]);
      expect([id, file?.address]).toEqual([id, expect.stringMatching(/^pdf:\/\/manuals\/[a-z0-9-]+\.pdf$/) as string]);
      expect(JSON.parse(JSON.stringify(shown))).toBe(shown);
    }
    set = (await rig.ask(pdfSetEndpoints.getPdfSet, { setId: set.setId })).set;
    for (const { blobKey } of await blobKeys(rig)) {
      expect(blobKey).toMatch(new RegExp(`^pdfs/${set.setId}/files/[0-9a-f-]{36}\\.pdf$`));
    }
  }, 120_000);
});

describe.skipIf(contents.length === 0)('hostile content', () => {
  const types = contents.filter((one) => one.class === 'type' && one.params.startsWith !== undefined);

  test('is refused by its actual type, whatever its name and content type', async () => {
    const rig = await openHttpRig();
    const { setId } = await createSet(rig);
    for (const { id, params } of types) {
      const start = (params.startsWith ?? '').replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      const bytes = Buffer.from(start === '' ? '' : start.padEnd(2_000, '.'), 'latin1');
      if (bytes.byteLength === 0) {
        const refusal = await rig.refusal(pdfSetEndpoints.startPdfUpload, { setId, fileName: 'x.pdf', sizeBytes: 0 });
        expect([id, refusal.code]).toEqual([id, 'pdf-file-empty']);
        continue;
      }
      const { refused } = await upload(rig, setId, 'x.pdf', bytes, { 'content-type': 'application/pdf' });
      expect([id, refused?.error.code]).toEqual([id, 'pdf-file-refused']);
    }
    expect((await rig.ask(pdfSetEndpoints.getPdfSet, { setId })).set.pdfFiles).toEqual([]);
    expect(await blobKeys(rig)).toEqual([]);
  });

  test('a PDF is accepted with any content type, and its bytes cannot be downloaded', async () => {
    const rig = await openHttpRig();
    const { setId } = await createSet(rig);
    const { file } = await upload(rig, setId, 'page.html', manualAbout('x'), { 'content-type': 'text/html' });
    expect(file?.name).toBe('page.html');
    for (const path of [`/api/pdf-sets/${setId}/files/${file?.fileId}`, `/pdfs/${setId}/files/${file?.fileId}.pdf`]) {
      const answer = await rig.send(path, { headers: rig.operator });
      expect((await answer.text()).includes('%PDF-')).toBe(false);
    }
  });
});
