/**
 * Why a patch cannot be applied. `malformed` is the patch's own fault, whatever it meets (the API server answers 400
 * or 422); the others depend on the document.
 */
export type PatchProblem = 'malformed' | 'missing' | 'test-failed';

export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly problem: PatchProblem;

  constructor(problem: PatchProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
