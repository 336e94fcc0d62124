/**
 * Returns the parsed value of a JSON column, or `otherwise` if it is damaged, so that one row does not make the others
 * unreadable. `lectern doctor --deep` lists such rows.
 */
export function storedJson<Held>(text: string, otherwise: Held): Held {
  try {
    return JSON.parse(text) as Held;
  } catch {
    return otherwise;
  }
}

/** Text columns that hold JSON, by table, under their names in the database. */
export const jsonColumns: Record<string, string[]> = {
  agent_calls: ['page_urls', 'snippet_ids'],
  agent_questions: ['offered'],
  audit_log: ['detail'],
  billing_accounts: ['discount'],
  billing_events: ['concern'],
  chat_messages: ['citations', 'usage'],
  code_host_connections: ['scopes'],
  code_host_revocations: ['webhook'],
  credit_transactions: ['metadata'],
  hosted_repositories: ['stats'],
  incidents: ['parts'],
  job_runs: ['held', 'quality', 'settings', 'skip_reasons'],
  library_addresses: ['offers'],
  modules: ['segments', 'source'],
  oauth_clients: ['redirect_uris'],
  pdf_uploads: ['parts'],
  profiles: ['lockfiles'],
  repositories: ['source'],
  test_payment_books: ['document'],
};

/**
 * Replacement for damaged JSON in history columns: the rest of the row is shown as before, and nothing else depends on
 * the value.
 */
export const emptyJson: Record<string, Record<string, string | null>> = {
  agent_calls: { page_urls: '[]', snippet_ids: '[]' },
  agent_questions: { offered: '[]' },
  audit_log: { detail: '{}' },
  chat_messages: { citations: '[]', usage: null },
  credit_transactions: { metadata: '{}' },
  hosted_repositories: { stats: null },
  incidents: { parts: '[]' },
  job_runs: { held: null, quality: null, settings: '{}', skip_reasons: '[]' },
  library_addresses: { offers: 'null' },
};
