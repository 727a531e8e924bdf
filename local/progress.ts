/** How often a slow start says that it goes on, in milliseconds. */
const interval = 2000;

/** Says what a start waits for, at once and while it waits. @returns a function that ends this */
export const sayProgress = (what: string): (() => void) => {
  let seconds = 0;
  console.log(`${what}…`);
  const timer = setInterval(() => {
    seconds += interval / 1000;
    console.log(`${what}, for ${String(seconds)} s…`);
  }, interval);
  return () => {
    clearInterval(timer);
  };
};
