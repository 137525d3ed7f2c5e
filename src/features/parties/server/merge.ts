import { sql } from 'kysely'
import { balance, debit, type Posting } from '../../../domain/ledger/entry.ts'
import { fail, failField } from '../../../kit/describe/errors.ts'
import type { Fields } from '../../../kit/fields/field.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { oneRow } from '../../../kit/server/lists.ts'
import { changeRow } from '../../../kit/server/resources.ts'
import { attachFile, filesOf } from '../../files/server/index.ts'
import { post } from '../../ledger/server/index.ts'
import { customers } from '../customers.ts'
import { served, servedOnTheWay, type OwnValues } from './served.ts'

type Record_ = Record<string, unknown> & { id: string; name: string; mergedIntoId: string | null }

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || value === false

/** What may be taken from one of the merged: everything people type in. */
const mergeable = Object.entries(customers.fields as Fields).flatMap(([name, field]) => (field.computed ? [] : [name]))

/**
 * Several records become one. Issued papers and entries never change, so they stay under the ids they were issued to; the merged
 * records are put away and point to the one who stays, his lists and his card read them along, and an entry moves what they owe.
 */
export async function merge(ctx: Ctx, { keepId, ids, from }: { keepId: string; ids: string[]; from: Record<string, string> }) {
  if (ids.includes(keepId)) throw fail('customers.mergeItself')
  const all = [keepId, ...new Set(ids)]
  // In one order, so that two merges never wait for each other crosswise.
  await sql`select id from parties where company_id = ${ctx.companyId} and id = any(${all}::uuid[]) order by id for update`.execute(ctx.tx)
  const keep = await oneRow<Record_>(ctx, served, keepId)
  const merged = await Promise.all(all.slice(1).map((id) => oneRow<Record_>(ctx, served, id)))
  if ([keep, ...merged].some(({ mergedIntoId }) => mergedIntoId)) throw fail('customers.merged')

  await moveBalances(ctx, keep, merged)
  const gone = merged.map(({ id }) => id)
  await sql`update parties set merged_into = ${keepId}, archived_at = coalesce(archived_at, ${ctx.now.toISOString()}), updated_at = now(),
    agent_id = (select k.agent_id from parties k where k.company_id = parties.company_id and k.id = ${keepId})
    where company_id = ${ctx.companyId} and (id = any(${gone}::uuid[]) or merged_into = any(${gone}::uuid[]))`.execute(ctx.tx)
  const taken = valuesAfter(keep, merged, from)
  if (Object.keys(taken).length > 0) await changeRow(ctx, servedOnTheWay, keepId, taken)
  for (const table of ['customer_contacts', 'customer_addresses', 'customer_proposals'])
    await sql`update ${sql.table(table)} set party_id = ${keepId} where company_id = ${ctx.companyId} and party_id = any(${gone}::uuid[])`.execute(
      ctx.tx,
    )
  // A draft is not issued yet: it goes with its customer.
  await sql`update documents set customer_id = ${keepId}, updated_at = now() where company_id = ${ctx.companyId} and status = 'draft'
    and customer_id = any(${gone}::uuid[])`.execute(ctx.tx)
  const known = new Set((await filesOf(ctx, 'customers', keepId)).map(({ id }) => id))
  for (const id of gone)
    for (const file of await filesOf(ctx, 'customers', id)) if (!known.has(file.id)) await attachFile(ctx, file.id, 'customers', keepId)

  await ctx.audit('customers.merge', 'customers', keepId, undefined, { name: merged.map(({ name }) => name).join(', ') })
  for (const { id } of merged) await ctx.audit('customers.mergedInto', 'customers', id, undefined, { name: keep.name })
  return { id: keepId, merged: merged.length }
}

/** One entry: what each merged record stands at, account by account, goes over to the one who stays. */
async function moveBalances(ctx: Ctx, keep: Record_, merged: Record_[]): Promise<void> {
  const { rows } = await sql<{ party: string; account: string; amount: number }>`
    select party_id as party, account_id as account, sum(debit_agorot - credit_agorot)::bigint as amount from party_months
    where company_id = ${ctx.companyId} and party_id = any(${merged.map(({ id }) => id)}::uuid[])
    group by 1, 2 having sum(debit_agorot - credit_agorot) <> 0 order by 1, 2`.execute(ctx.tx)
  if (rows.length === 0) return
  const postings = rows.flatMap(({ party, account, amount }): Posting[] => [
    debit(account, amount, keep.id),
    debit(account, -amount, party),
  ])
  // What cancels out on the side of the one who stays needs no line of his.
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

/** What the one who stays has afterwards: his own, what was chosen from others, and theirs where he had nothing. */
function valuesAfter(keep: Record_, merged: Record_[], from: Record<string, string>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of mergeable) {
    const chosen = from[name]
    if (chosen && chosen !== keep.id) {
      const source = merged.find(({ id }) => id === chosen)
      if (!source) throw failField(`from.${name}`, 'fields.choice')
      values[name] = source[name]
    } else if (!chosen && isEmpty(keep[name])) {
      const source = merged.find((one) => !isEmpty(one[name]))
      // His own language, flags and the like are facts even when they are no.
      if (source && typeof source[name] !== 'boolean') values[name] = source[name]
    }
  }
  const tags = [...new Set([keep, ...merged].flatMap((one) => one.tags as string[]))].slice(0, 20)
  if (tags.length > (keep.tags as string[]).length) values.tags = tags
  values.own = Object.assign({}, ...merged.map((one) => one.own as OwnValues).toReversed(), keep.own, from.own ? values.own : {})
  if (JSON.stringify(values.own) === JSON.stringify(keep.own)) delete values.own
  // Own values that no longer fit their field are no reason to refuse: they came from this very register.
  return values
}
