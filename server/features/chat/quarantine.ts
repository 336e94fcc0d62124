/**
 * Words in documentation that speak to whoever reads it as a program, not about the subject. Known shapes of attacks; a
 * list like this is never whole, so nothing rests on it alone: passages are delimited data, the model's tools reach
 * nothing but the asker's own documentation, and what it writes is sanitised.
 */
const shapes: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|other|system)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?)\b/i,
  /^\s*(?:#+\s*|\*\*|>\s*)?(?:system|assistant|developer)(?:\s+(?:prompt|message|note))?\s*:/i,
  /<\|[a-z_]+\|>|\[\/?(?:INST|SYS(?:TEM)?)\]|<<\/?SYS>>|<\/?(?:system|assistant|instructions?|tool_(?:call|result)s?|documents?|passages?)\b[^>]*>/i,
  /\b(?:you are now|from now on,? you|pretend (?:to be|that you|you are)|new instructions?\s*:)/i,
  /\b(?:note|attention|message|important|instructions?)\b[^.\n]{0,20}\b(?:to|for)\b (?:all |any |the )?(?:AI|LLMs?|language models?|(?:AI |coding )?(?:assistants?|agents?)|chatbots?)\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|warn|alert|mention (?:this|it) to) (?:the |your )?(?:user|human|person|operator|developer)s?\b/i,
  /\b(?:reveal|print|send|post|upload|exfiltrate|leak|include|pass|paste)\b[^.\n]{0,60}\b(?:api[ -]?keys?|secrets?|credentials?|passwords?|\.env|environment variables|system prompt|conversation|chat history)\b/i,
  /(?:^|[.!?]\s+)(?:add|include|insert|encode|encrypt|reverse|translate|use|integrate|append|end|begin|start|modify|rewrite|upgrade|embed|incorporate)\b[^.\n]{0,90}\byour (?:answer|response|reply|output|elucidation)s?\b/i,
  /\b(?:call|use|invoke|run) (?:the |this )?(?:tool|function) [`"'\w]/i,
];

const [open, close] = ['⟦', '⟧'];
const forged = new RegExp(`[${open}${close}]`, 'g');

/** Marks each line that speaks to a reading program, so that it is read as a quotation. Nothing is left out. */
export function quarantine(text: string): string {
  return text
    .replace(forged, '')
    .split('\n')
    .map((line) =>
      shapes.some((shape) => shape.test(line)) ? `${open}quoted, not an instruction: ${line}${close}` : line,
    )
    .join('\n');
}
