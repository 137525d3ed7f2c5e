import { sql } from 'kysely'
import { forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { byOf, type Ctx } from '#kit/server/context.ts'
import { implement, type Implementation } from '#kit/server/contract/implement.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import { readTables } from '#features/registers/imports/server/index.ts'
import { checkProject, registerProjectSource } from '#features/registers/projects/server/index.ts'
import * as calls from '../endpoints.ts'
import { journalLines, movementKinds, openingCustomers, openingSuppliers } from '../journal.ts'
import '../rules.ts'
import { automaticBatches, batchOf, listBatches, newBatch } from './batches.ts'
import { ensureKinds, factsOf } from './facts.ts'
import { createBatch, dropBatch, keepLines } from './lines.ts'
import { checkItem, keepOpening, openingBalances, postOpening } from './opening.ts'
import { checkBatch, postBatch } from './post.ts'
import { reverseBatch, reverseEntry } from './reverse.ts'

const account = (column: string, by: 'name' | 'number') =>
  sql`(select a.${sql.ref(by)} from accounts a where a.company_id = t.company_id
      and a.id = ${sql.ref(`t.${column}`)})`
const vatCode = sql`(select c.name from vat_codes c where c.company_id = t.company_id
    and c.id = t.vat_code_id)`
// An export must be importable: lists show names, lines are identified by numbers.
const refNames = (by: 'name' | 'number') => ({
  debitAccountId: account('debit_account_id', by),
  creditAccountId: account('credit_account_id', by),
  vatCodeId: vatCode,
  projectId: sql`(select p.name from projects p where p.company_id = t.company_id and p.id = t.project_id)`,
})

async function checkAccounts(ctx: Ctx, values: Record<string, unknown>): Promise<void> {
  await checkRef(ctx, 'debitAccountId', 'accounts', values.debitAccountId)
  await checkRef(ctx, 'creditAccountId', 'accounts', values.creditAccountId)
  await checkRef(ctx, 'vatCodeId', 'vat_codes', values.vatCodeId)
}

/** The temporary batch that lines of a file come into: today's open one of this person, or a new one. */
async function batchForImport(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select id from journal_batches where company_id = ${ctx.companyId} and kind = 'imported'
      and state = 'open'
    and created_by is not distinct
    from ${byOf(ctx)}::uuid and (created_at at time zone 'Asia/Jerusalem')::date = ${ctx.today}
    order by number desc limit 1`.execute(ctx.tx)
  return rows[0]?.id ?? (await newBatch(ctx, { kind: 'imported' })).id
}

/** The journal shows the business whole. */
const whole =
  <I, O>(work: (ctx: Ctx, input: I) => Promise<O>) =>
  (ctx: Ctx, input: I): Promise<O> => {
    if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
    return work(ctx, input)
  }

const withKinds = (one: Implementation): Implementation => ({
  ...one,
  inside: async (ctx: Ctx, input: never) => {
    await ensureKinds(ctx)
    return one.inside!(ctx, input)
  },
})

// What was typed by hand counts for its project from when it is posted until it is reversed.
for (const side of ['income', 'expense'] as const) {
  registerProjectSource(`entries.${side}`, {
    side,
    sum: sql`(select coalesce(sum(${side === 'income' ? sql`-l.amount_agorot` : sql`l.amount_agorot`}), 0)
      from entry_projects l
      join accounts a on a.company_id = l.company_id and a.id = l.account_id and a.kind = ${side}
      where l.company_id = t.company_id and l.project_id = t.id
        and not exists (select 1 from entries r where r.company_id = l.company_id
        and r.reverses_id = l.entry_id))`,
  })
  registerProjectSource(`journal.${side}`, {
    side,
    sum: sql`(select
        coalesce(sum(${sql.ref(side === 'income' ? 'l.posted_income_agorot' : 'l.posted_expense_agorot')}), 0)
        from journal_lines l
      where l.company_id = t.company_id and l.project_id = t.id and l.entry_id is not null
        and not exists (select 1 from entries r where r.company_id = l.company_id
        and r.reverses_id = l.entry_id))`,
  })
}

export { keepOpening, postOpening } from './opening.ts'

export const implementations = [
  ...serveResource({
    resource: movementKinds,
    refNames: refNames('name'),
    beforeSave: async (ctx, values) => {
      await checkAccounts(ctx, values)
      return values
    },
  }).map(withKinds),
  ...serveResource({
    resource: journalLines,
    verbs: ['list', 'get', 'create', 'change', 'export'],
    rowsAreNew: true,
    compute: { title: sql`coalesce(nullif(t.details, ''), nullif(t.reference, ''), t.day::text)` },
    refNames: refNames('number'),
    only: (ctx) => [
      sql`exists (select 1 from journal_batches b where b.company_id = t.company_id and b.id = t.batch_id
          and b.state in ('open', 'checked'))`,
      ...(seesWhole(ctx.caller) ? [] : [sql<boolean>`false`]),
    ],
    beforeSave: async (ctx, values, before) => {
      if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
      await checkAccounts(ctx, values)
      await checkProject(ctx, values.projectId as string | null | undefined, false)
      // Shekels are no other currency.
      if (values.currency === 'ILS') Object.assign(values, { currency: null, foreignAgorot: null })
      const batchId = before ? String(before.batchId) : await batchForImport(ctx)
      await sql`update journal_batches set state = 'open', checked_by = null, checked_at = null
        where company_id = ${ctx.companyId} and id = ${batchId} and state = 'checked'`.execute(ctx.tx)
      return before ? values : { ...values, batchId }
    },
  }),
  ...[openingCustomers, openingSuppliers].flatMap((resource) =>
    serveResource({
      resource,
      compute: { ilsAgorot: sql`round(t.amount_agorot * t.rate)::bigint` },
      refNames: {
        partyId: sql`(select p.name from parties p where p.company_id = t.company_id and p.id = t.party_id)`,
      },
      // What is posted is shown by the customer's card and the supplier's.
      only: (ctx) => [
        sql<boolean>`t.batch_id is null`,
        ...(seesWhole(ctx.caller) ? [] : [sql<boolean>`false`]),
      ],
      beforeSave: async (ctx, values, before) => {
        if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
        return checkItem(ctx, resource.where!.role as 'customer' | 'supplier', values, before)
      },
    }),
  ),
  implement(calls.journalFacts, whole(factsOf)),
  implement(calls.listBatches, whole(listBatches)),
  implement(calls.automaticBatches, whole(automaticBatches)),
  implement(
    calls.createBatch,
    whole(async (ctx, input) => batchOf(ctx, await createBatch(ctx, input))),
  ),
  implement(
    calls.getBatch,
    whole((ctx, { id }) => batchOf(ctx, id)),
  ),
  implement(calls.keepLines, whole(keepLines)),
  implement(calls.dropBatch, whole(dropBatch)),
  implement(
    calls.checkBatch,
    whole(async (ctx, input) => {
      await checkBatch(ctx, input)
      return batchOf(ctx, input.id)
    }),
  ),
  implement(
    calls.postBatch,
    whole(async (ctx, input) => {
      await postBatch(ctx, input)
      return batchOf(ctx, input.id)
    }),
  ),
  implement(calls.reverseBatch, whole(reverseBatch)),
  implement(calls.reverseEntry, whole(reverseEntry)),
  implement(calls.openingBalances, whole(openingBalances)),
  implement(calls.keepOpening, whole(keepOpening)),
  implement(
    calls.readBalanceFile,
    whole(async (_ctx, { bytes }) => ({ tables: await readTables(bytes.path, calls.maxBalanceRows) })),
  ),
  implement(calls.postOpening, whole(postOpening)),
]
