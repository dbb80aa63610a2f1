// The page that is shown stands in the fragment: #/name?key=value.
import { useEffect, useState } from "preact/hooks";

// parse takes a fragment apart.
export function parse(fragment) {
  const [path, rest = ""] = fragment.replace(/^#\/?/, "").split("?", 2);
  return { page: path.split("/")[0], values: Object.fromEntries(new URLSearchParams(rest)) };
}

// address puts one together. Values that are not set are left out.
export function address(page, values = {}) {
  const set = Object.entries(values).filter(([, v]) => v !== undefined && v !== null && v !== "");
  return `#/${page}${set.length > 0 ? `?${new URLSearchParams(set)}` : ""}`;
}

export function useRoute() {
  const [route, set] = useState(() => parse(location.hash));
  useEffect(() => {
    const changed = () => set(parse(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

// remember puts values into the address of the page without a new entry of the history. It comes after the
// page is drawn, so the address may have gone to another page meanwhile: then it stays as it is.
export function remember(page, values) {
  if ((parse(location.hash).page || "compare") === page) history.replaceState(null, "", address(page, values));
}
