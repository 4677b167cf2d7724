interface Rule {
  readonly id: string;
  readonly rule: string;
}

/** Rules that the run itself judges, at its end or at what is sent. */
export const preconditions: Rule = {
  id: 'I11, I25, I26',
  rule: 'Every delete names the UID of what it means, and every patch carries the resourceVersion it was decided on.',
};
export const reached: Rule = {
  id: 'I40, I47',
  rule: 'Once faults have ended and the spec is stable, it is reached within 90 minutes, and stays: by objects, nodes and every number of the status.',
};
export const quiet: Rule = {
  id: 'I31',
  rule: 'At rest nothing is written: not by itself, nor after a restart of the operator or the same manifest again.',
};
export const saysWhy: Rule = {
  id: 'I43',
  rule: 'Whatever does not reach its spec says why, in a condition or a wait.',
};

export const calm: Rule = {
  id: 'I49',
  rule: 'Whatever fails, the operator sends no more than 3,000 requests in ten minutes.',
};

export const runRules: readonly Rule[] = [preconditions, reached, quiet, saysWhy, calm];
