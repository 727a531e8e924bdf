/** The value of a query, such as a metric, `minutesBefore` the evaluated minute; NaN without data. */
export type ValueOf = (id: string, minutesBefore: number) => number;

/** An expression of CloudWatch's metric math, for one minute. Comparisons are 1 or 0. */
export type Expression = (valueOf: ValueOf) => number;

type Operator = (left: number, right: number) => number;

/** Operators by precedence, the weakest first. */
const levels: readonly Readonly<Record<string, Operator>>[] = [
  { '<': (left, right) => Number(left < right), '>=': (left, right) => Number(left >= right) },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right, '/': (left, right) => left / right },
];

const functions: Readonly<Record<string, (...values: readonly number[]) => number>> = {
  IF: (condition = 0, then = NaN, otherwise = NaN) => (condition === 1 ? then : otherwise),
  FILL: (value = NaN, filling = NaN) => (Number.isNaN(value) ? filling : value),
  MAX: Math.max,
};

const combined =
  (apply: Operator, left: Expression, right: Expression): Expression =>
  (valueOf) =>
    apply(left(valueOf), right(valueOf));

/**
 * Parses an expression of CloudWatch's metric math.
 * @throws {Error} for syntax that the stack's alarms do not use
 */
export const parseMetricMath = (text: string): Expression => {
  const tokens = text.match(/[\w.]+|>=|\S/g) ?? [];
  const take = (expected: string): void => {
    const token = tokens.shift();
    if (token !== expected) throw new Error(`${text}: expected ${expected}; found ${token ?? 'the end'}.`);
  };

  const binary = (level: number): Expression => {
    const operators = levels[level];
    if (operators === undefined) return operand();
    let left = binary(level + 1);
    let apply = operators[tokens[0] ?? ''];
    while (apply !== undefined) {
      tokens.shift();
      left = combined(apply, left, binary(level + 1));
      apply = operators[tokens[0] ?? ''];
    }
    return left;
  };

  /** Expressions between commas, up to a closing bracket. */
  const listUntil = (bracket: string): readonly Expression[] => {
    const list = [binary(0)];
    while (tokens[0] === ',') {
      take(',');
      list.push(binary(0));
    }
    take(bracket);
    return list;
  };

  const operand = (): Expression => {
    const token = tokens.shift() ?? '';
    if (token === '(') {
      const inner = binary(0);
      take(')');
      return inner;
    }
    if (/^\d/.test(token)) return () => Number(token);
    // Ids begin with a small letter, functions with a capital.
    if (/^[a-z]/.test(token)) return (valueOf) => valueOf(token, 0);
    take('(');
    if (token === 'DIFF') {
      const id = tokens.shift() ?? '';
      take(')');
      return (valueOf) => valueOf(id, 0) - valueOf(id, 1);
    }
    const isList = tokens[0] === '[';
    if (isList) take('[');
    const parameters = listUntil(isList ? ']' : ')');
    if (isList) take(')');
    const apply = functions[token];
    if (apply === undefined) throw new Error(`${text}: the simulation has no function ${token}.`);
    return (valueOf) => apply(...parameters.map((parameter) => parameter(valueOf)));
  };

  const expression = binary(0);
  if (tokens.length > 0) throw new Error(`${text}: unexpected ${tokens.join(' ')}.`);
  return expression;
};
