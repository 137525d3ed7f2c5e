import { hash, verify } from '@node-rs/argon2'

/** argon2id, the library's default; 19 MB and two passes as OWASP asks. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), cost)

let nobody: Promise<string> | undefined

/** Takes the same time for an account that does not exist, so that its absence cannot be measured. */
export async function passwordFits(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hash('nobody has this password', cost)
  const fits = await verify(stored ?? (await nobody), password.normalize('NFKC')).catch(() => false)
  return fits && !!stored
}
