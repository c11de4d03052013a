"use strict";
// The address of a page that moves from turn to turn.

/**
 * Writes addresses. Browsers refuse more than some hundred in a row, so that a turn that is passed within this time of another
 * is not written; the last one always is.
 */
const addressWriter = {
  GAP_MS: 350,
  next: null,
  timer: null,
  written: -Infinity,

  write(address) {
    this.next = address;
    if (this.timer !== null) return;
    const wait = this.written + this.GAP_MS - performance.now();
    if (wait <= 0) this.flush();
    else this.timer = setTimeout(() => this.flush(), wait);
  },

  /** Writes now; call it before you read the address. */
  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.next !== null && new URL(this.next, location.href).href !== location.href) {
      history.replaceState(null, "", this.next);
      this.written = performance.now();
    }
    this.next = null;
  },
};

/** The parameters after the `#` of the address. */
function addressed() {
  addressWriter.flush();
  return new URLSearchParams(location.hash.slice(1));
}

/** Changes parameters after the `#` of the address; null removes one. */
function remember(changes) {
  const parameters = new URLSearchParams(new URL(addressWriter.next ?? "", location.href).hash.slice(1));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(key);
    else parameters.set(key, value);
  }
  addressWriter.write(parameters.size > 0 ? `#${parameters}` : location.pathname + location.search);
}
