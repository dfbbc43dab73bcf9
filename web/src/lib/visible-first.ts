/**
 * Processes each element in a separate task, so that scrolling and clicks need not wait for all of
 * them. Elements on the screen or close to it come first, the others in order. Returns a function
 * that stops the processing.
 */
export function visibleFirst(
  elements: readonly HTMLElement[],
  process: (element: HTMLElement) => void,
): () => void {
  const remaining = new Set(elements);
  const near = new Set<HTMLElement>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!(target instanceof HTMLElement)) continue;
        if (isIntersecting) near.add(target);
        else near.delete(target);
      }
    },
    { rootMargin: '50%' },
  );
  for (const element of elements) observer.observe(element);

  const processNext = (): void => {
    const [next] = near.size > 0 ? near : remaining;
    if (next === undefined) return stop();
    near.delete(next);
    remaining.delete(next);
    observer.unobserve(next);
    process(next);
    timer = setTimeout(processNext);
  };
  const stop = (): void => {
    clearTimeout(timer);
    observer.disconnect();
  };
  let timer = setTimeout(processNext);
  return stop;
}
