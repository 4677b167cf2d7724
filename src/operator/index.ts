export type { ProbeAnswer } from './health.ts';
export { createLog, type LogLevel, type LogOptions } from './log-output.ts';
export type { SeePod } from './memory.ts';
export { createOperator } from './operator.ts';
export type { Operator, OperatorOptions, OperatorParts } from './operator-types.ts';
export type { Decide } from './reconcile.ts';
