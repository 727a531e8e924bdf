/** The value of a metric or expression at one time; undefined when data is missing. */
export type Value = number | undefined;
type Evaluate = (valueOf: (id: string) => Value) => Value;

const operators: Readonly<Record<string, (a: number, b: number) => Value>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? undefined : a / b),
  '<': (a, b) => Number(a < b),
};
/** The weakest first. */
const precedence = [['<'], ['+', '-'], ['*', '/']];

/**
 * Parses an expression of CloudWatch's metric math: `IF`, `FILL` with a number, `MAX` of an array, `<` and arithmetic (AWS:
 * "Using math expressions with CloudWatch metrics"). Without data, and when it divides by zero, it has no value.
 * @throws {Error} when the expression uses any other syntax
 */
export const metricMath = (text: string): Evaluate => {
  const tokens = text.match(/[A-Za-z]\w*|\d+(?:\.\d+)?|\S/g) ?? [];
  const notUnderstood = (): Error => new Error(`This metric math is not understood: ${text}`);
  const take = (expected: string): void => {
    if (tokens.shift() !== expected) throw notUnderstood();
  };
  const listOf = (opening: string, closing: string): readonly Evaluate[] => {
    take(opening);
    const list = [operation(0)];
    while (tokens[0] === ',') {
      tokens.shift();
      list.push(operation(0));
    }
    take(closing);
    return list;
  };
  const operand = (): Evaluate => {
    const token = tokens.shift() ?? '';
    if (token === 'IF') {
      const [condition, then, otherwise, ...more] = listOf('(', ')');
      if (!condition || !then || !otherwise || more.length > 0) throw notUnderstood();
      return (valueOf) => {
        const holds = condition(valueOf);
        return holds === undefined ? undefined : (holds === 0 ? otherwise : then)(valueOf);
      };
    }
    if (token === 'FILL') {
      const [metric, filling, ...more] = listOf('(', ')');
      if (!metric || !filling || more.length > 0) throw notUnderstood();
      return (valueOf) => metric(valueOf) ?? filling(valueOf);
    }
    if (token === 'MAX') {
      take('(');
      const elements = listOf('[', ']');
      take(')');
      return (valueOf) => {
        const present = elements.flatMap((element) => element(valueOf) ?? []);
        return present.length === 0 ? undefined : Math.max(...present);
      };
    }
    if (token === '(') {
      const inner = operation(0);
      take(')');
      return inner;
    }
    if (/^\d/.test(token)) return () => Number(token);
    if (/^[a-z]/.test(token)) return (valueOf) => valueOf(token);
    throw notUnderstood();
  };
  const operation = (level: number): Evaluate => {
    const names = precedence[level];
    if (!names) return operand();
    let left = operation(level + 1);
    while (names.includes(tokens[0] ?? '')) {
      const operator = operators[tokens.shift() ?? ''];
      if (!operator) throw notUnderstood();
      const [a, b] = [left, operation(level + 1)];
      left = (valueOf) => {
        const [one, other] = [a(valueOf), b(valueOf)];
        return one === undefined || other === undefined ? undefined : operator(one, other);
      };
    }
    return left;
  };
  const evaluate = operation(0);
  if (tokens.length > 0) throw notUnderstood();
  return evaluate;
};
