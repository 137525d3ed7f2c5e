import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Seals a secret with AES-256-GCM: 12 bytes of nonce, 16 of tag, then the text. */
export function lockAway(key: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Opens what lockAway sealed; throws when the key is another one or a byte has changed. */
export function takeOut(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

/** 256 random bits for an address or a session. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Tokens are kept hashed: who reads the table cannot log in. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
