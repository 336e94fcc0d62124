import { z } from 'zod';
import { address, certificate, listOf, text, wholeNumber, withoutSlash } from './config-readers.ts';
import type { Variable } from './config-variable.ts';

/** Of the search cluster, and of a model that helps it. */
export const searchVariables = {
  LECTERN_SEARCH_URL: {
    about:
      'Nodes of an OpenSearch cluster that finds candidates for what outgrows the memory of one machine, as https://user:password@host:9200, separated by commas; empty searches in the process itself.',
    type: listOf(/./, 'addresses such as https://search.example:9200')
      .refine(
        (nodes) => nodes.every((node) => URL.canParse(node) && /^https?:$/.test(new URL(node).protocol)),
        'must be addresses such as https://search.example:9200, separated by commas',
      )
      .default([]),
    example: '',
  },
  LECTERN_SEARCH_CA: {
    about: 'Certificate of the authority that vouches for the nodes, as PEM or that in base64.',
    type: certificate.optional(),
    example: '',
  },
  LECTERN_SEARCH_INDEX: {
    about: 'What the names of its indexes begin with: one of its own for each installation.',
    type: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,60}$/, 'must be lower-case letters, digits and hyphens, and begin with a letter')
      .default('lectern'),
    example: 'lectern',
  },
  LECTERN_SEARCH_SHARDS: {
    about: 'Parts of each of its indexes, when it is made; one for every 30 million passages is enough.',
    type: wholeNumber(1, 1024).default(3),
    example: '3',
  },
  LECTERN_SEARCH_REPLICAS: {
    about: 'Copies of each part beside the first; without one, a node that is away takes its passages with it.',
    type: wholeNumber(0, 10).default(1),
    example: '1',
  },
  LECTERN_SEARCH_MEMORY_MB: {
    about: 'What a process with a search cluster keeps open of the index itself, in megabytes.',
    type: wholeNumber(64, 1_000_000).default(1024),
    example: '1024',
  },
  LECTERN_EMBEDDINGS_URL: {
    about:
      'Service with the embeddings of OpenAI, as https://host/v1; it is sent every passage that is indexed and every question. Empty: passages are chosen by their words alone.',
    type: address('http', 'https').transform(withoutSlash).optional(),
    example: '',
  },
  LECTERN_EMBEDDINGS_MODEL: { about: 'Name of the model there.', type: text.optional(), example: '' },
  LECTERN_EMBEDDINGS_KEY: { about: 'Key sent to that service.', type: text.optional(), example: '' },
} satisfies Record<string, Variable<unknown>>;
