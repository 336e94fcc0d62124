/** Prefix of the lines in an answer that the server adds: addresses and notes. */
export const answerMark = '§ ';

export interface AnswerBlock {
  /** The server line that begins the block, without its mark. */
  head: string | undefined;
  /** The address in that line. */
  address: string | undefined;
  body: string;
}

/**
 * Splits an answer, as sent to agents, into blocks at the server's lines. Documentation cannot fake such a line: the
 * server removes the mark from it.
 */
export function answerBlocks(text: string): AnswerBlock[] {
  let page: string | undefined;
  return text
    .split(/\n+(?=§ )/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      if (!block.startsWith(answerMark)) return { head: undefined, address: undefined, body: block };
      const end = block.indexOf('\n');
      const head = block.slice(answerMark.length, end < 0 ? undefined : end);
      const address = addressOf(head, page);
      if (address !== undefined && !head.startsWith('#')) page = address.split('#')[0] ?? address;
      return { head, address, body: end < 0 ? '' : block.slice(end + 1).trim() };
    });
}

/** Returns the address in a line: a full one, or an anchor on the preceding page. Returns undefined for a note. */
function addressOf(head: string, page: string | undefined): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(head)) return head;
  return head.startsWith('#') && page !== undefined && !/\s/.test(head) ? page + head : undefined;
}
