// What the server is asked. All addresses are below that of the page.

// Failure is an answer of the server that is no result, or none at all.
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const kept = "alike.token";

// A server that listens beyond this machine wants a token. It is kept until the tab closes.
export const token = () => sessionStorage.getItem(kept) ?? "";
export const setToken = (value) => sessionStorage.setItem(kept, value);

async function ask(method, path, body, signal) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token()) headers.Authorization = `Bearer ${token()}`;
  let response;
  try {
    response = await fetch(new URL(`v1/${path}`, document.baseURI), { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, error.message);
  }
  const answer = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) return answer;
  if (response.status === 401) dispatchEvent(new Event("alike:token"));
  const details = (answer?.errors ?? []).map((e) => [e.location, e.message].filter(Boolean).join(": ")).filter(Boolean);
  throw new Failure(response.status, [answer?.detail ?? answer?.title ?? response.statusText, ...details].join("; "));
}

// query makes a query of those values that are set.
export function query(values) {
  const set = Object.entries(values).filter(([, v]) => v !== undefined && v !== "" && v !== null);
  return set.length > 0 ? `?${new URLSearchParams(set)}` : "";
}

export const get = (path, signal) => ask("GET", path, undefined, signal);
export const post = (path, body, signal) => ask("POST", path, body, signal);
export const put = (path, body, signal) => ask("PUT", path, body, signal);
export const remove = (path, signal) => ask("DELETE", path, undefined, signal);
