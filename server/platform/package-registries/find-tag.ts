import type { Outbound } from '../outbound/index.ts';

const timeoutMs = 10_000;
const answerBytesMax = 1_000_000;

/** Returns the tag names that projects use for a version's release, most common first. */
export function tagNamesOf({ name, version }: { name: string; version: string }): string[] {
  const number = version.replace(/^v(?=\d)/, '').replace(/\+incompatible$/, '');
  const last =
    name
      .replace(/\/v\d+$/, '')
      .split('/')
      .at(-1) ?? name;
  const names = [...new Set([last, name])];
  return [
    ...[`v${number}`, number],
    ...names.flatMap((one) => [`${one}@${number}`, `${one}@v${number}`, `${one}-${number}`, `${one}-v${number}`]),
    ...names.flatMap((one) => [`${one}/v${number}`, `${one}_${number}`]),
    ...[
      `release-${number}`,
      `release/${number}`,
      `rel_${number.replaceAll('.', '_')}`,
      `REL_${number.replaceAll('.', '_')}`,
    ],
  ];
}

/**
 * Returns the first of a version's usual tag names that exists in a repository, using git protocol version 2: one
 * request, and a response of a few lines however many tags there are. Undefined if there is none, or no response.
 */
export async function findTag(
  outbound: Outbound,
  repository: string,
  library: { name: string; version: string },
): Promise<string | undefined> {
  const names = tagNamesOf(library);
  const body = [
    packet('command=ls-refs\n'),
    '0001',
    ...names.map((name) => packet(`ref-prefix refs/tags/${name}\n`)),
    '0000',
  ].join('');
  const url = `${repository.replace(/\/+$/, '').replace(/\.git$/, '')}.git/git-upload-pack`;
  try {
    const { status, body: answer } = await outbound.request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-git-upload-pack-request',
        accept: 'application/x-git-upload-pack-result',
        'git-protocol': 'version=2',
      },
      ...{ body, timeoutMs, bytesMax: answerBytesMax, isCutAtBytesMax: true },
    });
    if (status !== 200) return undefined;
    const found = new Set(
      [...new TextDecoder().decode(answer).matchAll(/[0-9a-f]{40,64} refs\/tags\/([^\s\0]+)/g)].map(([, tag]) => tag),
    );
    return names.find((name) => found.has(name));
  } catch (error) {
    // Without a tag, the repository is offered in its current state.
    if (error instanceof Error && error.name === 'OutboundError') return undefined;
    throw error;
  }
}

function packet(line: string): string {
  return (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line;
}
