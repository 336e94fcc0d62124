/** What the lines of an answer begin with that are the server's own: addresses and notes. */
export const answerMark = '§ ';

export interface AnswerBlock {
  /** The line of the server's that begins it, without its mark. */
  head: string | undefined;
  /** The address that line names. */
  address: string | undefined;
  body: string;
}

/**
 * An answer as agents get it, taken apart at the lines of the server's. Documentation cannot begin a line with their
 * mark: the server takes it out.
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

/** The address a line names: whole, or an anchor on the page before; undefined for a note. */
function addressOf(head: string, page: string | undefined): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(head)) return head;
  return head.startsWith('#') && page !== undefined && !/\s/.test(head) ? page + head : undefined;
}
