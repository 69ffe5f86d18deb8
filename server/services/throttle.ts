/** Slows down the guessing of passwords. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimitError } from '../http/errors.ts'

export class Throttle {
  private readonly limiter: RateLimiterMemory

  /**
   * @param limit tries allowed per key within the window
   * @param windowSeconds length of the window, from the first try
   */
  constructor(limit: number, windowSeconds: number) {
    this.limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds })
  }

  /**
   * Counts a try before it is made, so that many at once do not slip through together.
   * @throws RateLimitError when there were too many
   */
  async take(key: string): Promise<void> {
    try {
      await this.limiter.consume(key)
    } catch (error) {
      if (error instanceof RateLimiterRes) throw new RateLimitError(error.msBeforeNext / 1000)
      throw error
    }
  }

  /** Forgets the tries of a key after one that was right. */
  async forget(key: string): Promise<void> {
    await this.limiter.delete(key)
  }
}
