// How far the log is committed, and how far it is on disk for certain.
export class LogExtent {
  // Of a log that was found, everything counts, until the first write tells where its valid part ends.
  #committed = Infinity
  #synced = Infinity
  /** End of what the running transaction has written; 0 before its first write. */
  #written = 0
  /** Counts how often the log was begun anew. */
  #life = 0

  /** Everything before it was acknowledged, or may be; nothing after it was. */
  get synced(): number {
    return this.#synced
  }

  wrote(position: number, length: number): void {
    // SQLite begins the log again at its start, once everything in it is on disk in the database file.
    if (position === 0) this.cut(0)
    // What is overwritten was never committed: the rest of a transaction that was taken back.
    this.#committed = Math.min(this.#committed, position)
    this.#synced = Math.min(this.#synced, position)
    this.#written = Math.max(this.#written, position + length)
  }

  cut(size: number): void {
    this.#life++
    this.#committed = Math.min(this.#committed, size)
    this.#synced = Math.min(this.#synced, size)
    this.#written = 0
  }

  commit(): void {
    if (this.#written > 0) this.#committed = this.#written
    this.#written = 0
  }

  rollBack(): void {
    this.#written = 0
  }

  /** Answers what to call when the sync that begins now has succeeded. */
  beginSync(): () => void {
    const end = this.#committed
    const life = this.#life
    return () => {
      if (life === this.#life) this.#synced = end
    }
  }
}
