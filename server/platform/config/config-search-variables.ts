import { z } from 'zod';
import { address, certificate, headerKey, listOf, text, wholeNumber, withoutSlash } from './config-readers.ts';
import type { Variable } from './config-variable.ts';

/** Of the search cluster, and of a model that helps it. */
export const searchVariables = {
  LECTERN_SEARCH_URL: {
    about:
      "Nodes of an OpenSearch cluster for an index that outgrows one machine's memory, as https://user:password@host:9200, separated by commas; empty searches in the process.",
    type: listOf(/./, 'addresses such as https://search.example:9200')
      .refine(
        (nodes) => nodes.every((node) => URL.canParse(node) && /^https?:$/.test(new URL(node).protocol)),
        'must be addresses such as https://search.example:9200, separated by commas',
      )
      .default([]),
    example: '',
  },
  LECTERN_SEARCH_CA: {
    about: "Certificate of the nodes' authority, as PEM or base64 of it.",
    type: certificate.optional(),
    example: '',
  },
  LECTERN_SEARCH_INDEX: {
    about: "Prefix of the cluster's index names; each installation needs its own.",
    type: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,60}$/, 'must be lower-case letters, digits and hyphens, and begin with a letter')
      .default('lectern'),
    example: 'lectern',
  },
  LECTERN_SEARCH_SHARDS: {
    about: 'Shards of each index, fixed when it is created; one per 30 million passages is enough.',
    type: wholeNumber(1, 1024).default(3),
    example: '3',
  },
  LECTERN_SEARCH_REPLICAS: {
    about: 'Replicas of each shard; with 0, searches fail while a node is down.',
    type: wholeNumber(0, 10).default(1),
    example: '1',
  },
  LECTERN_SEARCH_MEMORY_MB: {
    about: 'Memory for open segments in a process with a search cluster, in megabytes.',
    type: wholeNumber(64, 1_000_000).default(1024),
    example: '1024',
  },
  LECTERN_EMBEDDINGS_URL: {
    about:
      "Service with OpenAI's embeddings API, as https://host/v1; it receives every indexed passage and every question. Empty ranks by words alone.",
    type: address('http', 'https').transform(withoutSlash).optional(),
    example: '',
  },
  LECTERN_EMBEDDINGS_MODEL: { about: 'Name of the model.', type: text.optional(), example: '' },
  LECTERN_EMBEDDINGS_KEY: { about: 'API key for that service.', type: headerKey.optional(), example: '' },
} satisfies Record<string, Variable<unknown>>;
