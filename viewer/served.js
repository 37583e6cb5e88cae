// served.js - implements a source (README.md) by requests to the server of this page.
import { Questions } from "./questions.js";

const listeners = [];

// A browser opens only a few connections to a server. So of all its pages only the holder of a lock
// opens the stream of events, and forwards them; when it closes, the next one takes over. Listeners
// get the kind of an event: `open`, `message`, or `error` if the stream ended.
function listenForEvents(listener) {
  listeners.push(listener);
  listener("open");
  if (listeners.length > 1) return; // the sources of a page share one stream
  const name = `rangeline ${location.pathname}`, others = new BroadcastChannel(name);
  const forward = (kind) => listeners.forEach((each) => each(kind));
  others.onmessage = ({ data }) => forward(data);
  navigator.locks.request(name, () => new Promise(() => { // until the page closes
    const events = new EventSource("events");
    events.onopen = events.onmessage = events.onerror = ({ type }) => {
      others.postMessage(type);
      forward(type);
    };
  }));
}

class Served extends Questions {
  async get(target) {
    const response = await fetch(target).catch(() => {
      const gone = new Error("Disconnected: the server has stopped. Run `rangeline view` again.");
      throw Object.assign(gone, { isOver: true });
    });
    if (!response.ok) throw new Error(`Server error ${response.status} (${target.split(/[/?]/)[1]})`);
    return response.json();
  }

  async about() {
    const { first } = this;
    this.first = null;
    return first || super.about();
  }

  // `open` counts as a change, because the trace may have changed before the stream began; not if
  // the trace was already complete.
  follow(changed) {
    listenForEvents((kind) => {
      if (kind !== "open" || !this.isFinal) changed();
    });
  }
}

export async function openServed() {
  const source = new Served(0), first = await source.about();
  source.first = first; // the page asks next what it says of its trace
  return [source, ...Array.from({ length: first.traces - 1 }, (_, k) => new Served(k + 1))];
}
