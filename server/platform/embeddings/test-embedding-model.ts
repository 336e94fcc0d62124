import { EmbeddingError, type EmbeddingModel, likeness } from './embedding-model.ts';

/** For each question, a passage that answers it in other words, and one about something else. */
const samples = [
  {
    question: 'How do I undo the last commit?',
    answer: 'To take back a change that was recorded in the history, move the branch to the revision before it.',
    other: 'The server listens on port 80 unless another address is given in its configuration file.',
  },
  {
    question: 'connection refused when the client starts',
    answer: 'Nothing listens at that address: check that the daemon is running before programs try to reach it.',
    other: 'Lists are sorted in place; the key function is called once for each of their elements.',
  },
];

/**
 * Requests vectors of known texts. Throws an EmbeddingError if there are none, if the same text gets different vectors,
 * or if questions are closer to an unrelated passage than to their answer: such a model would make searches worse.
 */
export async function testEmbeddingModel(model: EmbeddingModel, timeoutMs: number): Promise<void> {
  const texts = samples.flatMap(({ question, answer, other }) => [question, answer, other]);
  const vectors = await model.embed([...texts, samples[0]?.question ?? ''], { timeoutMs });
  const near = (a: number, b: number) => likeness(vectors[a] as Float32Array, vectors[b] as Float32Array);
  if (near(0, texts.length) < 0.99) throw new EmbeddingError('the model makes another vector of the same text');
  for (const at of samples.keys()) {
    const first = at * 3;
    if (near(first, first + 1) <= near(first, first + 2))
      throw new EmbeddingError('the model does not tell texts apart');
  }
}
