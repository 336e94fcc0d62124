import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { peerFigures } from '../../web/features/home/peer-figures.ts';

const file = new URL('../../bench/peers.json', import.meta.url);

test('the home page quotes the latest measured run', () => {
  const { runs } = JSON.parse(readFileSync(file, 'utf8')) as {
    runs: { peer: string; answer_found: number; mean_tokens: number }[][];
  };
  for (const { peer, answerFound, meanTokens } of peerFigures) {
    const measured = runs.flat().find((row) => row.peer === peer);
    expect({ peer, answerFound, meanTokens }).toEqual({
      peer,
      answerFound: measured?.answer_found,
      meanTokens: measured?.mean_tokens,
    });
  }
});
