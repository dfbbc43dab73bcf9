/**
 * Does something with each of these elements, each in a task of its own, so that scrolling and clicks do not wait
 * for all of them: those on the screen or close to it first, the others in their order. Returns how to stop.
 */
export function oneByOne(
  elements: readonly HTMLElement[],
  treat: (element: HTMLElement) => void,
): () => void {
  const left = new Set(elements);
  const near = new Set<HTMLElement>();
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!(target instanceof HTMLElement)) continue;
        if (isIntersecting) near.add(target);
        else near.delete(target);
      }
    },
    { rootMargin: '50%' },
  );
  for (const element of elements) seen.observe(element);

  const treatNext = (): void => {
    const [next] = near.size > 0 ? near : left;
    if (next === undefined) return stop();
    near.delete(next);
    left.delete(next);
    seen.unobserve(next);
    treat(next);
    timer = setTimeout(treatNext);
  };
  const stop = (): void => {
    clearTimeout(timer);
    seen.disconnect();
  };
  let timer = setTimeout(treatNext);
  return stop;
}
