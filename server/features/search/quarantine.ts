/**
 * Words in documentation that speak to whoever reads it as a program, not about the subject. Known shapes of attacks; a
 * list like this is never whole, so nothing rests on it alone: agents are told that what they get is data, a model's passages are
 * delimited and its tools reach nothing but the asker's own documentation, and what it writes is sanitised. Of 109,667 passages of 18
 * sets of documentation one in a thousand has such a line.
 */
const shapes: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|other|system)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?)\b/i,
  /^\s*(?:#+\s*|\*\*|>\s*)?(?:system|assistant|developer)(?:\s+(?:prompt|message|note))?\s*:/i,
  /<\|[a-z_]+\|>|\[\/?(?:INST|SYS(?:TEM)?)\](?!\()|<<\/?SYS>>|<\/?(?:system|assistant|instructions?|tool_(?:call|result)s?|documents?|passages?)\b[^>]*>/i,
  /\b(?:you are now|from now on,? you|pretend (?:to be|that you|you are)|new instructions?\s*:)/i,
  /\b(?:note|attention|message|important|instructions?)\b[^.\n]{0,20}\b(?:to|for)\b (?:all |any |the )?(?:AI|LLMs?|language models?|(?:AI |coding )?(?:assistants?|agents?)|chatbots?)\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|warn|alert|mention (?:this|it) to) (?:the |your )?(?:user|human|person|operator|developer)s?\b/i,
  /\b(?:reveal|print|send|post|upload|exfiltrate|leak|include|pass|paste)\b[^.\n]{0,60}\b(?:api[ -]?keys?|secrets?|credentials?|passwords?|\.env|environment variables|system prompt|conversation|chat history)\b/i,
  /(?:^|[.!?]\s+)(?:add|include|insert|encode|encrypt|reverse|translate|use|integrate|append|end|begin|start|modify|rewrite|upgrade|embed|incorporate)\b[^.\n]{0,90}\byour (?:answer|response|reply|output|elucidation)s?\b/i,
  /\b(?:call|use|invoke|run) (?:the |this )?tool [`"'\w]/i,
];

/** Each of the shapes has one of these: nearly all texts have none, which is told much faster than the shapes. */
const triggers = [
  ...['ignore', 'disregard', 'forget', 'override', 'bypass', 'system', 'assistant', 'developer', 'instruction'],
  ...['<|', '[inst]', '[/inst]', '[sys]', '[/sys]', '<sys>', '</sys>', '<tool_', '</tool_', '<document', '</document'],
  ...['<passage', '</passage', 'you are now', 'from now on', 'pretend', 'agent', 'chatbot', 'language model', 'llm'],
  ...[' ai', 'tell ', 'inform ', 'warn ', 'alert ', 'mention ', 'api key', 'api-key', 'apikey', 'secret', 'credential'],
  ...['password', '.env', 'environment variable', 'conversation', 'chat history', 'your answer', 'your response'],
  ...['your reply', 'your output', 'your elucidation', 'tool '],
];

const [open, close] = ['⟦', '⟧'];
const words = 'quoted, not an instruction: ';
const forged = new RegExp(`[${open}${close}]`, 'g');
const markedBefore = new RegExp(`^(?:${words})+`);

/** Marks each line that speaks to a reading program, so that it is read as a quotation; once, however often. Nothing is left out. */
export function quarantine(text: string): string {
  if (!hasTrigger(text)) return text;
  return text
    .split('\n')
    .map((line) => (speaksToProgram(line) ? marked(line) : line))
    .join('\n');
}

function marked(line: string): string {
  return `${open}${words}${line.replace(forged, '').replace(markedBefore, '')}${close}`;
}

function speaksToProgram(line: string): boolean {
  return hasTrigger(line) && shapes.some((shape) => shape.test(line));
}

function hasTrigger(text: string): boolean {
  const lower = text.toLowerCase();
  return triggers.some((trigger) => lower.includes(trigger));
}
