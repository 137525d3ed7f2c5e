import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** The keys that encrypt what must be read back, 32 bytes each: the one in use, and those of before, which still decrypt. */
export interface Vault {
  current: Buffer
  before: readonly Buffer[]
}

/** Begins every value that names its key; values sealed until November 2026 begin with their nonce. */
const mark = Buffer.from('PV1')
const headBytes = mark.length + 4

/** What is sealed with a key begins with this: the mark, and four bytes by which the key is found. */
export const headOf = (key: Buffer): Buffer =>
  Buffer.concat([mark, createHash('sha256').update('pinkas vault key').update(key).digest().subarray(0, 4)])

/** Seals a secret with AES-256-GCM: mark and id of the key, 12 bytes of nonce, 16 of tag, then the text. */
export function encrypt({ current }: Vault, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', current, nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([headOf(current), nonce, cipher.getAuthTag(), body])
}

/** Opens what encrypt sealed, with whichever key it was; throws when none of them fits or a byte has changed. */
export function decrypt({ current, before }: Vault, sealed: Buffer): Buffer {
  const keys = [current, ...before]
  const named = keys.find((key) => sealed.subarray(0, headBytes).equals(headOf(key)))
  if (named) {
    const opened = openWith(named, sealed.subarray(headBytes))
    if (opened) return opened
  }
  // Without the id of a key: each is tried, and the tag says which one it was.
  for (const key of keys) {
    const opened = openWith(key, sealed)
    if (opened) return opened
  }
  throw new Error('sealed with another key, or changed')
}

function openWith(key: Buffer, sealed: Buffer): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  } catch {
    return undefined
  }
}

/** 256 random bits for an address or a session. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Tokens are kept hashed: who reads the table cannot log in. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
