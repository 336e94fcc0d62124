export * from '#contract/quantities.ts';
