/** A log-in that waits for its second factor on another page; in memory only, it is as good as a password. */
let pending: string | undefined

export const keepPendingFactor = (token: string): void => void (pending = token)

export function takePendingFactor(): string | undefined {
  const token = pending
  pending = undefined
  return token
}
