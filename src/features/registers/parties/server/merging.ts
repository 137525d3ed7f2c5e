import { sql } from 'kysely'
import { balance, debit, type Posting } from '#domain/ledger/entry.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Fields } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { authorize } from '#kit/server/rights/authority.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { changeRow, type ServedResource } from '#kit/server/described/resources.ts'
import { attachFile, filesOf } from '#features/base/files/server/index.ts'
import { post } from '#features/base/ledger/server/index.ts'

export type Role = 'customer' | 'supplier'

/** A record as it is read for a merge. */
export type Merging = Record<string, unknown> & { id: string; name: string; mergedIntoId: string | null }

/** What of other features goes with a merged party to the one who stays; papers and entries never do. */
export type Follower = (ctx: Ctx, keepId: string, gone: readonly string[]) => Promise<void>

const followers: Record<Role, Follower[]> = { customer: [], supplier: [] }

/** Lets a feature's links follow a party that is merged; told once, when the server's parts are read. */
export const registerFollower = (role: Role, follow: Follower): void => void followers[role].push(follow)

export interface MergedRegister {
  role: Role
  /** How records are read, and how the values of the one who stays are saved. */
  served: ServedResource
  saving: ServedResource
  errors: { merged: string; itself: string }
  /** Fields that a register settles separately, beside the described ones. */
  apart?: readonly string[]
  /** A last look at the values the one who stays gets. */
  valuesAfter?: (
    values: Record<string, unknown>,
    keep: Merging,
    merged: readonly Merging[],
    from: Record<string, string>,
  ) => void
}

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false

/**
 * Several records become one. Issued documents and entries never change, so they stay under the ids they were issued
 * to; the merged records are archived and point to the remaining one, whose lists and card include them, and an
 * entry moves their balances.
 */
export async function mergeParties(
  ctx: Ctx,
  register: MergedRegister,
  { keepId, ids, from }: { keepId: string; ids: string[]; from: Record<string, string> },
): Promise<{ keep: Merging; merged: Merging[] }> {
  const { role, served, saving, errors } = register
  const { name: resource } = served.resource
  if (ids.includes(keepId)) throw fail(errors.itself)
  const all = [keepId, ...new Set(ids)]
  // In one order, so that two merges never wait for each other crosswise.
  await sql`select id from parties where company_id = ${ctx.companyId} and role = ${role}
      and id = any(${all}::uuid[]) order by id for update`.execute(ctx.tx)
  const keep = await oneRow<Merging>(ctx, served, keepId)
  const merged: Merging[] = []
  for (const id of all.slice(1)) merged.push(await oneRow<Merging>(ctx, served, id))
  if ([keep, ...merged].some(({ mergedIntoId }) => mergedIntoId)) throw fail(errors.merged)

  await moveBalances(ctx, keep, merged)
  const gone = merged.map(({ id }) => id)
  await sql`update parties
    set merged_into = ${keepId}, archived_at = coalesce(archived_at, ${ctx.now.toISOString()}),
      updated_at = now(),
    agent_id = (select k.agent_id from parties k where k.company_id = parties.company_id and k.id = ${keepId})
    where company_id = ${ctx.companyId}
      and (id = any(${gone}::uuid[]) or merged_into = any(${gone}::uuid[]))`.execute(ctx.tx)
  const taken = valuesAfter(register, keep, merged, from)
  if (Object.keys(taken).length > 0) await changeRow(ctx, saving, keepId, taken)
  for (const follow of followers[role]) await follow(ctx, keepId, gone)
  const known = new Set((await filesOf(ctx, resource, keepId)).map(({ id }) => id))
  for (const id of gone)
    for (const file of await filesOf(ctx, resource, id))
      if (!known.has(file.id)) await attachFile(ctx, file.id, resource, keepId)

  await ctx.audit(`${resource}.merge`, resource, keepId, undefined, {
    name: merged.map(({ name }) => name).join(', '),
  })
  for (const { id } of merged)
    await ctx.audit(`${resource}.mergedInto`, resource, id, undefined, { name: keep.name })
  return { keep, merged }
}

/** One entry: the balance of each merged record, account by account, is moved to the remaining one. */
async function moveBalances(ctx: Ctx, keep: Merging, merged: readonly Merging[]): Promise<void> {
  const { rows } = await sql<{ party: string; account: string; amount: number }>`
    select party_id as party, account_id as account, sum(debit_agorot - credit_agorot)::bigint as amount
    from party_months
    where company_id = ${ctx.companyId} and party_id = any(${merged.map(({ id }) => id)}::uuid[])
    group by 1, 2 having sum(debit_agorot - credit_agorot) <> 0 order by 1, 2`.execute(ctx.tx)
  // Who is one with whom is decided for good, balances or not.
  await authorize(ctx, 'post', { agorot: 0 })
  if (rows.length === 0) return
  const postings = rows.flatMap(({ party, account, amount }): Posting[] => [
    debit(account, amount, keep.id),
    debit(account, -amount, party),
  ])
  // What cancels out on the side of the remaining record needs no line there.
  if (balance(postings) !== 0) throw new Error('a transfer that does not balance')
  await post(ctx, {
    day: ctx.today,
    kind: 'merge',
    details: merged
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 200),
    postings,
  })
}

/**
 * The values of the remaining record afterwards: its own, what was chosen from others, and theirs where it had
 * nothing.
 */
function valuesAfter(
  { served, apart = [], valuesAfter: last }: MergedRegister,
  keep: Merging,
  merged: readonly Merging[],
  from: Record<string, string>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(served.resource.fields as Fields)) {
    if (field.computed || apart.includes(name)) continue
    const chosen = from[name]
    if (chosen && chosen !== keep.id) {
      const source = merged.find(({ id }) => id === chosen)
      if (!source) throw failField(`from.${name}`, 'fields.choice')
      values[name] = source[name]
    } else if (!chosen && isEmpty(keep[name])) {
      const source = merged.find((one) => !isEmpty(one[name]))
      // Its own language, flags and the like are facts even when they are false.
      if (source && typeof source[name] !== 'boolean') values[name] = source[name]
    }
  }
  last?.(values, keep, merged, from)
  return values
}
