/** Passwords and keys. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)

const cost = { N: 2 ** 15, r: 8, p: 1 }
const maxmem = 64 * 1024 * 1024

/**
 * @param N the work it takes; less only for a long random password, which no speed helps to guess
 * @returns `scrypt$N$r$p$salt$hash`, salt and hash in base64
 */
export async function hashPassword(password: string, N = cost.N): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, 32, { ...cost, N, maxmem })
  return ['scrypt', N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** An account without a password takes as long to refuse as one with a wrong password. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? (await unknownAccountHash())).split('$')
  const expected = Buffer.from(hash ?? '', 'base64')
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem }
  const actual = await derive(
    password.normalize('NFKC'),
    Buffer.from(salt ?? '', 'base64'),
    expected.length,
    options,
  )
  return timingSafeEqual(actual, expected) && stored !== null
}

let decoy: Promise<string> | undefined
const unknownAccountHash = (): Promise<string> => (decoy ??= hashPassword(randomKey(32)))

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random text of letters and digits. */
export function randomKey(length: number): string {
  let key = ''
  while (key.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes past the last full round of the alphabet would favour its first letters.
      if (byte < 248 && key.length < length) key += alphabet[byte % alphabet.length]
    }
  }
  return key
}

/** Compares secrets in a time that tells nothing about them. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
