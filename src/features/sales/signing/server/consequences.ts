import type { Ctx } from '#kit/server/context.ts'
import type { StoredRequest } from './load.ts'

/** A paper that all have signed, as what follows from it sees it. */
export type SignedPaper = Pick<StoredRequest, 'id' | 'name' | 'purpose' | 'purposeId' | 'customerId'>

type Follows = (ctx: Ctx, paper: SignedPaper) => Promise<void>

const known = new Map<string, Follows>()

/** What follows when a paper of this purpose is signed by all; it runs behind the commit, at least once. */
export const registerSigned = (purpose: string, follows: Follows): void => void known.set(purpose, follows)

export const consequenceOf = (purpose: string): Follows | undefined => known.get(purpose)
