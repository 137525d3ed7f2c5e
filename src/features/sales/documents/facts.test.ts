import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { typesThat } from '#domain/documents/facts.ts'
import { documentStatusNames, documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import * as facts from '#kit/server/data/documentFacts.ts'
import {
  hasIncome,
  isDraft,
  isIssued,
  isOpen,
  isType,
  isUnfinished,
  mayBeIncome,
  textOf,
} from '#kit/server/data/documentFacts.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { startWorld, type World } from '../../../../tests/world.ts'
import { boardStates } from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const rowsOf = async <Row>(query: RawBuilder<Row>): Promise<Row[]> =>
  (await query.execute(world.app.db.kysely)).rows

const checkOf = async (name: string): Promise<string> => {
  const rows = await rowsOf(sql<{
    check: string
  }>`select pg_get_constraintdef(oid) as check from pg_constraint
    where conrelid = 'documents'::regclass and conname = ${name}`)
  return rows[0]!.check
}

describe('one list of states and types', () => {
  test('the database accepts the states of the list and no others', async () => {
    const check = await checkOf('documents_status_check')
    expect([...check.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(documentStatusNames)
  })

  test('the database accepts the numbers of the types and no others', async () => {
    const ids = documentTypeNames.map((name) => documentTypes[name].id)
    expect(await checkOf('documents_type_check')).toBe(
      `CHECK (((type >= ${Math.min(...ids)}) AND (type <= ${Math.max(...ids)})))`,
    )
  })

  test('the columns of the board are the states, and what was sent between them', () => {
    expect(boardStates.filter((state) => state !== 'sent')).toEqual(documentStatusNames)
    expect(boardStates.indexOf('sent')).toBe(boardStates.indexOf('issued') + 1)
  })
})

/** Conditions that only the database has, with what they are. */
const ofDatabase = [
  // The open orders of both sides, for the report of what is still to be supplied.
  `type in (${[documentTypes.order.id, documentTypes.purchaseOrder.id].join(', ')})`,
  // Receipts have no lines whose amounts could add up to the total.
  `type in (${[...typesThat('mayBeIncome'), documentTypes.depositReceipt.id].join(', ')})`,
]

describe('what the database spells out', () => {
  const named = new Set([
    ...Object.entries(facts).flatMap(([name, fact]) =>
      ['isType', 'signed', 'status', 'textOf', 'sign', 'isIncome'].includes(name)
        ? []
        : [textOf((fact as typeof isDraft)())],
    ),
    ...documentTypeNames.map((name) => textOf(isType('', name))),
    ...ofDatabase,
  ])
  /** As the fragments write it: without aliases, casts and arrays. */
  const plain = (definition: string): string =>
    definition
      .replaceAll('::text', '')
      .replace(/ = ANY \(ARRAY\[([^\]]*)\]\)/g, ' in ($1)')
      .replace(/ <> ALL \(ARRAY\[([^\]]*)\]\)/g, ' not in ($1)')
  const conditions = (definition: string): string[] =>
    [
      ...plain(definition).matchAll(
        /(?<![\w'])(?:\w+\.)?((?:type|status) (?:(?:not )?in \((?:\d|')[^)]*\)|(?:=|<>) (?:\d+|'\w+')))/g,
      ),
    ].map(([, condition]) => condition!)

  test('is a fact by name: its functions, triggers, indexes and checks follow a new type or state, or fail here', async () => {
    const found = await rowsOf(sql<{ name: string; definition: string }>`
      select p.proname as name, p.prosrc as definition from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prosrc ~ '\\mdocuments\\M|\\mnew\\.|\\mfresh\\M'
      union all select indexrelid::regclass::text, pg_get_expr(indpred, indrelid) from pg_index
        where indrelid = 'documents'::regclass and indpred is not null
      union all select conname, pg_get_constraintdef(oid) from pg_constraint
        where conrelid = 'documents'::regclass and contype = 'c' and conname <> 'documents_status_check'
      union all select tgname, pg_get_triggerdef(oid) from pg_trigger
        where tgrelid = 'documents'::regclass and not tgisinternal`)
    const spelled = found.flatMap(({ name, definition }) =>
      conditions(definition).map((condition) => ({ name, condition })),
    )
    expect(spelled.length).toBeGreaterThan(30)
    expect(spelled.filter(({ condition }) => !named.has(condition))).toEqual([])
  })

  test('calls of rows in functions are seen whatever their alias', () => {
    expect(
      conditions("where x.status not in ('draft', 'cancelled') and d.type in (8, 9) or type = 5"),
    ).toEqual(["status not in ('draft', 'cancelled')", 'type in (8, 9)', 'type = 5'])
    expect(conditions("((type = ANY (ARRAY[6, 11])) AND (status <> 'draft'::text))")).toEqual([
      'type in (6, 11)',
      "status <> 'draft'",
    ])
  })
})

describe('the planner proves the partial indexes from the fragments', () => {
  const cases: [index: string, where: () => RawBuilder<unknown>][] = [
    ['documents_drafts', () => sql`${isDraft('d')} order by d.day desc, d.id desc limit 1`],
    ['documents_vat', () => sql`${isIssued('d')} and d.day between '2026-01-01' and '2026-01-31'`],
    [
      'documents_money_income',
      () =>
        sql`${mayBeIncome('d')} and ${hasIncome('d')} and ${isIssued('d')} and d.day between '2026-01-01'
          and '2026-01-31'`,
    ],
    ['documents_open_orders', () => sql`${isType('d', 'order')} and ${isOpen('d')} and d.day < '2026-01-31'`],
  ]
  /** The plan over a table like `documents` whose only index is the one asked about. */
  const planOf = (index: string, where: RawBuilder<unknown>): Promise<string> =>
    asSystem(world.app.db, async (tx) => {
      await sql`create temp table probe (like documents) on commit drop`.execute(tx)
      const { rows } = await sql<{ definition: string }>`
        select pg_get_indexdef(${index}::regclass) as definition`.execute(tx)
      await sql
        .raw(rows[0]!.definition.replace(` ${index} ON public.documents `, ' ON pg_temp.probe '))
        .execute(tx)
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select d.id from probe d
        where d.company_id = '00000000-0000-0000-0000-000000000001' and ${where}`.execute(tx)
      return plan.map((row) => row['QUERY PLAN']).join('\n')
    })

  test.each(cases)('%s', async (index, where) => {
    expect(await planOf(index, where())).toMatch(/Index.* Scan/)
  })

  test('an index of what was issued does not serve a query that includes drafts', async () => {
    expect(await planOf('documents_vat', sql`${isUnfinished('d')} and d.day = '2026-01-01'`)).toContain(
      'Seq Scan',
    )
  })

  test('the list of partial indexes is whole', async () => {
    const rows = await rowsOf(sql<{ name: string }>`select indexrelid::regclass::text as name from pg_index
      where indrelid = 'documents'::regclass and pg_get_expr(indpred, indrelid) ~ '\\m(type|status)\\M'`)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(cases.map(([index]) => index).toSorted())
  })
})
