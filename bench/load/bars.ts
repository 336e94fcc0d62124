/** The target of each line, in the words of the load list. */
export interface Bar {
  measure: string;
  pass: string;
  good: string;
}

export const bars: Readonly<Record<string, Bar>> = {
  'load-0001': {
    measure: 'latency at 20 searches/s (open loop)',
    pass: 'p50 <= 30 ms, p95 <= 100 ms, p99 <= 250 ms',
    good: 'p95 <= 40 ms',
  },
  'load-0002': { measure: 'p95 while 10 pages/s are indexed', pass: '<= 2 x idle p95', good: '<= 1.3 x' },
  'load-0003': { measure: 'p95 at 1,000,000 snippets vs 100,000', pass: '<= 3 x', good: '<= 1.5 x' },
  'load-0004': {
    measure: '2,000 open sessions or handles: memory each',
    pass: '<= 100 KB RSS',
    good: '<= 55 KB',
  },
  'load-0005': {
    measure: '5,000 sessions; connect p95',
    pass: '<= 150 ms, none refused below the cap',
    good: '<= 50 ms',
  },
  'load-0006': { measure: 'tools/list and handshake', pass: 'p95 <= 20 ms', good: '<= 5 ms' },
  'load-0007': { measure: 'read of a cached URL', pass: 'p95 <= 80 ms', good: '<= 30 ms' },
  'load-0008': {
    measure: 'pages per second from a fast loopback origin, 1 job',
    pass: '>= 20/s',
    good: '>= 60/s',
  },
  'load-0009': { measure: 'memory during a 2,000-page crawl', pass: 'RSS growth <= 300 MB', good: '<= 120 MB' },
  'load-0010': { measure: 'empty start to first answer', pass: '<= 3 s', good: '<= 1 s' },
  'load-0011': { measure: 'start with 100,000 snippets to first search', pass: '<= 5 s', good: '<= 2 s' },
  'load-0012': { measure: 'signed-in pages and JSON calls, 20/s', pass: 'p95 <= 150 ms', good: '<= 50 ms' },
  'load-0013': {
    measure: '10 x overload',
    pass: 'no crash, rejected p99 <= 200 ms, useful work >= 80 %, back to normal <= 5 s',
    good: '>= 95 %',
  },
  'load-0014': {
    measure: 'one tenant floods, another is quiet',
    pass: 'quiet p95 <= 2 x idle',
    good: '<= 1.3 x',
  },
  soak: {
    measure: '200 sessions, indexing and searches',
    pass: 'memory flat, no stream or handle leak, no error',
    good: 'as pass',
  },
};
