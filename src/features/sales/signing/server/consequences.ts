import { sql } from 'kysely'
import type { FieldError } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Filled } from '../shapes.ts'
import type { StoredRequest } from './load.ts'

/** A paper that all have signed, as what follows from it sees it. */
export type SignedPaper = Pick<
  StoredRequest,
  'id' | 'name' | 'purpose' | 'purposeId' | 'customerId' | 'fields'
>

type Follows = (ctx: Ctx, paper: SignedPaper) => Promise<void>
/** What is wrong with what a signer filled in, by the ids of its fields. */
type Check = (values: Readonly<Record<string, Filled>>) => FieldError[]

const known = new Map<string, { follows: Follows; check?: Check }>()

/**
 * What follows when a paper of this purpose is signed by all; it runs behind the commit, at least once.
 * `check` looks at what is filled in before it is signed: its paths are ids of fields.
 */
export const registerSigned = (purpose: string, follows: Follows, check?: Check): void =>
  void known.set(purpose, { follows, ...(check ? { check } : {}) })

export const consequenceOf = (purpose: string): Follows | undefined => known.get(purpose)?.follows
export const checkOf = (purpose: string): Check | undefined => known.get(purpose)?.check

/** What all signers of a paper filled in, by field, and who was the first of them to sign. */
export async function signedValues(
  ctx: Ctx,
  requestId: string,
): Promise<{ values: Record<string, Filled>; name: string }> {
  const { rows } = await sql<{
    values: Record<string, Filled> | null
    name: string
  }>`select values, name from sign_signers
    where company_id = ${ctx.companyId} and request_id = ${requestId} and state = 'signed'
    order by signed_at`.execute(ctx.tx)
  return {
    values: Object.assign({}, ...rows.map(({ values }) => values ?? {})) as Record<string, Filled>,
    name: rows[0]?.name ?? '',
  }
}
