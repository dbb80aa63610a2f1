import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "./api.js";

// useAsked asks the server for a path, again whenever it changes, and takes back what is
// asked no more. It gives {data, error, busy, again}; old data stay until new ones are there.
export function useAsked(path) {
  const [state, set] = useState({ busy: path != null });
  const [round, again] = useState(0);
  useEffect(() => {
    if (path == null) {
      set({ busy: false });
      return;
    }
    const asking = new AbortController();
    set((s) => ({ ...s, busy: true }));
    get(path, asking.signal).then(
      (data) => set({ data, busy: false, path }),
      (error) => error.name !== "AbortError" && set({ error, busy: false, path }),
    );
    return () => asking.abort();
  }, [path, round]);
  return { ...state, again: () => again((n) => n + 1) };
}

// useLater gives a value only when it has not changed for so many milliseconds.
export function useLater(value, wait) {
  const [later, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return later;
}

// useWidth gives an element's width, and its ref.
export function useWidth() {
  const ref = useRef(null);
  const [width, set] = useState(0);
  useEffect(() => {
    const seen = new ResizeObserver(([e]) => set(Math.floor(e.contentRect.width)));
    seen.observe(ref.current);
    return () => seen.disconnect();
  }, []);
  return [ref, width];
}
