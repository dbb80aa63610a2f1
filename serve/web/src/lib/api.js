// What the server is asked. All addresses are below that of the page.
import { splitter } from "./events.js";

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

async function request(method, path, accept, body, signal) {
  const headers = { Accept: accept };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token()) headers.Authorization = `Bearer ${token()}`;
  let response;
  try {
    response = await fetch(new URL(`v1/${path}`, document.baseURI), { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, error.message);
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => undefined);
  if (response.status === 401) dispatchEvent(new Event("alike:token"));
  const details = (answer?.errors ?? []).map((e) => [e.location, e.message].filter(Boolean).join(": ")).filter(Boolean);
  throw new Failure(response.status, [answer?.detail ?? answer?.title ?? response.statusText, ...details].join("; "));
}

async function ask(method, path, body, signal) {
  const response = await request(method, path, "application/json", body, signal);
  return response.status === 204 ? undefined : response.json().catch(() => undefined);
}

// events tells what a stream of server-sent events says, until it ends. An EventSource could not send a token.
export async function events(path, told, signal) {
  const response = await request("GET", path, "text/event-stream", undefined, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const split = splitter();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const data of split(value)) told(JSON.parse(data));
    }
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, error.message);
  }
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
