/** The new version gets no traffic. The cause is the error's type, or the response's status and error value. */
export class Refusal extends Error {
  readonly problem: string;

  constructor(problem: string, cause: string) {
    super(problem, { cause });
    this.problem = problem;
  }
}
