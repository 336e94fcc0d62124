import type { AgentSurface } from '#contract/agent-surface.ts';
import { countTokens } from '#server/features/search/index.ts';
import { listPrompts } from './prompts.ts';
import { listResourceTemplates } from './resources.ts';
import { instructions, type ToolNaming, toolDefinitions } from './tool-definitions.ts';

/** Returns exactly what an agent receives before its first call, with its size in tokens (o200k_base). */
export function describeAgentSurface(productName: string): AgentSurface {
  const told = instructions(productName, 'product');
  return {
    productName,
    instructions: { text: told, tokens: countTokens(told) },
    tools: toolsOf(productName, 'product'),
    toolsTokens: tokensOf(toolDefinitions(productName, 'product')),
    deepResearchTools: toolsOf(productName, 'deep-research'),
    prompts: listPrompts(productName).map((prompt) => ({
      name: prompt.name,
      description: prompt.description ?? '',
      definition: prompt,
      tokens: tokensOf(prompt),
    })),
    resources: listResourceTemplates(productName).map((template) => ({
      name: template.name,
      description: template.description ?? '',
      uriTemplate: template.uriTemplate,
      definition: template,
      tokens: tokensOf(template),
    })),
  };
}

function toolsOf(productName: string, naming: ToolNaming): AgentSurface['tools'] {
  return toolDefinitions(productName, naming).map((tool) => ({
    name: tool.name,
    description: tool.description ?? '',
    definition: tool,
    tokens: tokensOf(tool),
  }));
}

function tokensOf(definition: unknown): number {
  return countTokens(JSON.stringify(definition));
}
