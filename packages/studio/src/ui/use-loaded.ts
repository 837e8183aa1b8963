/** Server data for a component: loaded when it mounts and when its dependencies change. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  loading: boolean;
  reload: () => void;
}

export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; loading: boolean }>({ loading: true });
  const [turn, setTurn] = useState(0);
  const current = useRef(load);
  current.current = load;
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    current.current(controller.signal).then(
      (value) => !controller.signal.aborted && setState({ value, loading: false }),
      (error) => !controller.signal.aborted && setState((before) => ({ value: before.value, error, loading: false })),
    );
    return () => controller.abort();
  }, [turn, ...dependencies]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { value: state.value, error: state.error, loading: state.loading, reload };
}
