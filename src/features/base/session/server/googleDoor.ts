import type { JsonWebKey } from 'node:crypto'

export type GoogleKey = JsonWebKey & { kid: string }

/** Google as the log-in sees it. */
export interface Google {
  clientId: string
  /**
   * Where a browser goes to choose an account; it comes back with an identity token, or the reason why not,
   * behind '#'.
   */
  address: string
  /** The keys tokens are signed with now. Throws when nobody answers. */
  keys: () => Promise<GoogleKey[]>
}
