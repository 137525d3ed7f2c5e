import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRules } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { inviteAccountant, removeAccountant } from '#features/partners/accountant/endpoints.ts'
import * as calls from './endpoints.ts'
import { serveSchedule } from '#kit/server/work/schedules.ts'
import { duePlans, tells } from './server/ring.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'

let world: World
let shop: Business
let companyId: string
let me: string
let customerId: string
let clock = new Date('2037-11-16T08:00:00Z')
beforeAll(async () => {
  world = await startWorld(() => clock)
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  me = (await shop.call(calls.listPlanPeople, { report: 'income' })).rows[0]!.id
  customerId = (await shop.customer('מאפייה')).id
})
afterAll(() => world.close())

/** A second person of the business, with rights and a language. */
async function mate(
  rules: string[],
  language = 'en',
  change = 'hide_total_prices = false',
): Promise<{ id: string; email: string; token: string }> {
  const other = await newBusiness(world)
  return asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
    }>`update users set language = ${language} where email = ${other.email} returning id`.execute(tx)
    const numbers = rules.map((name) => allRules().get(name)!)
    await sql`insert into memberships (company_id, user_id, type_id, rules)
      values (${companyId}, ${rows[0]!.id}, 9, ${numbers}::int[])`.execute(tx)
    await sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}
        and user_id = ${rows[0]!.id}`.execute(tx)
    return { id: rows[0]!.id, email: other.email, token: other.token }
  })
}
const remove = (id: string) =>
  asSystem(world.app.db, (tx) =>
    sql`update memberships set removed_at = now() where company_id = ${companyId}
        and user_id = ${id}`.execute(tx),
  )
const sell = (unitPrice: string, more: object = {}) =>
  shop.call(createDocument, {
    type: 8,
    customerId,
    date: '2037-11-10',
    lines: [{ description: 'עבודה', quantity: '1', unitPrice }],
    ...more,
  })
const plan = (more: object = {}) => ({
  report: 'income',
  query: { from: '2037-01-01', to: '2037-11-16', cols: 'month,netAgorot,totalAgorot' },
  title: 'הכנסות החודש',
  every: 'day' as const,
  weekday: 0,
  monthDay: 1,
  daysBefore: 3,
  hour: 9,
  span: 'thisMonth' as const,
  formats: ['pdf', 'xlsx'] as ('pdf' | 'xlsx')[],
  condition: null,
  isOn: true,
  people: [me],
  ...more,
})
/** Moves to a moment and runs what is due then: only reports and their emails. */
async function at(moment: string) {
  clock = new Date(moment)
  await asSystem(world.app.db, async (tx) => {
    await sql`delete from outbox where name not like 'reportPlans.%'`.execute(tx)
    await sql`update outbox set run_after = now() - interval '1 second'
      where done_at is null and run_after <= ${moment}::timestamptz`.execute(tx)
  })
  await world.worker.drain()
}
const lettersTo = async (to: string) => {
  const dir = join(dataDir, 'mail')
  const found = (existsSync(dir) ? readdirSync(dir) : [])
    .sort()
    .map((file) => readFileSync(join(dir, file)))
    .filter((bytes) => bytes.includes(`To: ${to}`))
  return Promise.all(found.map((bytes) => PostalMime.parse(bytes)))
}
const outcomes = async (id: string) =>
  (await shop.call(calls.logOfPlan, { id })).rows.map(
    (row) => `${row.recipient.split('@')[0]} ${row.outcome}`,
  )

describe('what leaves', () => {
  test('each in his own language and sight, with the days of its span, once', async () => {
    await sell('1000')
    const dana = await mate(['reports.sales'], 'en')
    const blind = await mate(['reports.sales'], 'fr', 'hide_total_prices = true')
    const made = await shop.call(calls.createPlan, plan({ people: [me, dana.id, blind.id] }))
    expect(made.nextAt).toContain('2037-11-17T07:00:00')
    await at('2037-11-17T07:00:30Z')
    const [hers] = await lettersTo(dana.email)
    expect(hers!.subject).toContain('הכנסות החודש')
    expect(hers!.text).toContain('attached is the report')
    expect(hers!.text).toContain('01/11/2037–17/11/2037')
    expect(hers!.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain('/reportstop/')
    expect(hers!.attachments.map(({ mimeType }) => mimeType)).toEqual([
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
    expect((await lettersTo(blind.email))[0]!.text).toContain('Voici en pièce jointe')
    expect(await outcomes(made.id)).toHaveLength(3)
    // The same ringing again tells nobody twice, and the next has its own day.
    await asSystem(world.app.db, (tx) =>
      sql`update outbox set done_at = null, run_after = now() where name = 'reportPlans.ring'
          and done_at is not null`.execute(tx),
    )
    await world.worker.drain()
    expect(await lettersTo(dana.email)).toHaveLength(1)
    await at('2037-11-18T07:00:30Z')
    expect(await lettersTo(dana.email)).toHaveLength(2)
    await shop.call(calls.dropPlan, { id: made.id })
    await at('2037-11-19T07:00:30Z')
    expect(await lettersTo(dana.email)).toHaveLength(2)
  })

  test('after days of being off the latest alone is made good, with the days it should have told of', async () => {
    const dana = await mate(['reports.sales'])
    clock = new Date('2037-11-20T05:00:00Z')
    await shop.call(calls.createPlan, plan({ people: [dana.id], span: 'yesterday' }))
    await at('2037-11-24T05:00:00Z')
    const letters = await lettersTo(dana.email)
    expect(letters).toHaveLength(1)
    expect(letters[0]!.text).toContain('22/11/2037')
    expect(letters[0]!.text).toContain('from=2037-11-22')
  })

  test('without any job the row rings by itself, and one that breaks is tried again and stops no other', async () => {
    const dana = await mate(['reports.sales'])
    clock = new Date('2037-11-25T05:00:00Z')
    const [bad, good] = [
      await shop.call(calls.createPlan, plan({ people: [dana.id], hour: 8 })),
      await shop.call(calls.createPlan, plan({ people: [dana.id] })),
    ]
    const change = (text: string) => asSystem(world.app.db, (tx) => sql`${sql.raw(text)}`.execute(tx))
    await change(`delete from outbox where name = 'reportPlans.ring'`)
    await change(`alter table report_plan_log add constraint broken check (plan_id <> '${bad.id}') not valid`)
    clock = new Date('2037-11-25T07:30:00Z')
    await serveSchedule(world.app, duePlans)
    const nextOf = async () =>
      (await shop.call(calls.listPlans, {})).rows.flatMap((row) =>
        [bad.id, good.id].includes(row.id) ? [row.nextAt!.slice(0, 10)] : [],
      )
    expect((await nextOf()).toSorted()).toEqual(['2037-11-25', '2037-11-26'])
    await change('alter table report_plan_log drop constraint broken')
    clock = new Date('2037-11-25T07:40:00Z')
    expect(await serveSchedule(world.app, duePlans)).toBe(0)
    clock = new Date('2037-11-25T07:50:00Z')
    expect(await serveSchedule(world.app, duePlans)).toBe(1)
    await world.worker.drain()
    expect([await outcomes(bad.id), await outcomes(good.id)].map((all) => all.length)).toEqual([1, 1])
    for (const { id } of [bad, good]) await shop.call(calls.dropPlan, { id })
  })

  test('to an accountant who is invited, in the language he was asked in, until the link with him ends', async () => {
    clock = new Date('2037-11-24T05:00:00Z')
    const email = `cpa${Date.now()}@example.com`
    const accountant = await shop.call(inviteAccountant, { name: 'Moulin', email, language: 'fr' })
    const made = await shop.call(calls.createPlan, plan({ people: [accountant.id] }))
    await at('2037-11-24T07:00:30Z')
    expect(
      (await lettersTo(email)).filter(({ text }) => text?.includes('Voici en pièce jointe')),
    ).toHaveLength(1)
    await shop.call(removeAccountant, { id: accountant.id })
    await at('2037-11-25T07:00:30Z')
    expect(
      (await lettersTo(email)).filter(({ text }) => text?.includes('Voici en pièce jointe')),
    ).toHaveLength(1)
    expect((await outcomes(made.id))[0]).toContain('lostRight')
  })
})

describe('only when there is something to tell', () => {
  test.each([
    [null, {}, [], true],
    [{ rows: true as const }, {}, [], false],
    [{ rows: true as const }, {}, [{ sum: true }], false],
    [{ rows: true as const }, {}, [{ sum: null }], true],
    [{ total: 'a', is: 'over' as const, value: 100 }, { a: 100 }, [], false],
    [{ total: 'a', is: 'over' as const, value: 100 }, { a: 101 }, [], true],
    [{ total: 'a', is: 'under' as const, value: -5 }, { a: -5 }, [], false],
    [{ total: 'a', is: 'under' as const, value: -5 }, { a: -6 }, [], true],
    // Hidden, or no total of this report any more.
    [{ total: 'a', is: 'under' as const, value: 10 }, {}, [], false],
  ])('%j of %j and %j: %s', (condition, totals, rows, told) => {
    expect(tells(condition, { totals: totals as Record<string, number>, rows })).toBe(told)
  })

  test('what is overdue passes the figure, and the silence before it says why', async () => {
    clock = new Date('2037-11-25T08:00:00Z')
    const dana = await mate(['reports.debts'])
    const blind = await mate(['reports.debts'], 'en', 'hide_total_prices = true')
    const late = { total: 'd30Agorot', is: 'over' as const, value: 500_000 }
    const made = await shop.call(
      calls.createPlan,
      plan({
        report: 'ageing',
        query: {},
        title: 'חובות באיחור',
        condition: late,
        people: [dana.id, blind.id],
      }),
    )
    await at('2037-11-26T07:00:30Z')
    expect(await lettersTo(dana.email)).toHaveLength(0)
    expect(await outcomes(made.id)).toEqual([' nothing'])
    await sell('6000', { dueDate: '2037-11-20' })
    await at('2037-11-27T07:00:30Z')
    expect(await lettersTo(dana.email)).toHaveLength(1)
    // A person who sees no amounts never learns that one was exceeded.
    expect(await lettersTo(blind.email)).toHaveLength(0)
  })

  test.each([
    [
      'a total the report has not',
      { condition: { total: 'nothing', is: 'over', value: 1 } },
      'condition',
      'reportPlans.noTotal',
    ],
    ['nobody', { people: [] }, 'people', 'reportPlans.nobody'],
    ['a stranger', { people: ['00000000-0000-7000-8000-000000000001'] }, 'people', 'fields.ref'],
    ['no file', { formats: [] }, 'formats', 'reportPlans.noFormat'],
    ['the 30th, which not every month has', { monthDay: 30 }, 'monthDay', 'fields.range'],
  ])('%s is refused at its field', async (_, more, path, code) => {
    await expect(shop.call(calls.createPlan, plan(more) as never)).rejects.toMatchObject({
      errors: [{ path, code }],
    })
  })
})

describe('rights', () => {
  test('whoever may not open the report is not written down, and whoever loses it gets nothing more', async () => {
    clock = new Date('2037-12-01T05:00:00Z')
    const stranger = await mate(['documents.see'])
    await expect(shop.call(calls.createPlan, plan({ people: [stranger.id] }))).rejects.toMatchObject({
      errors: [{ path: 'people', code: 'reportPlans.mayNotOpen' }],
    })
    const dana = await mate(['reports.sales'])
    const made = await shop.call(calls.createPlan, plan({ people: [dana.id] }))
    await at('2037-12-01T07:00:30Z')
    expect(await lettersTo(dana.email)).toHaveLength(1)
    await remove(dana.id)
    await at('2037-12-02T07:00:30Z')
    expect(await lettersTo(dana.email)).toHaveLength(1)
    expect((await outcomes(made.id))[0]).toContain('lostRight')
  })

  test('lost between the ringing and the letter: the letter does not leave', async () => {
    clock = new Date('2037-12-03T05:00:00Z')
    const dana = await mate(['reports.sales'])
    const made = await shop.call(calls.createPlan, plan({ people: [dana.id], isOn: false }))
    expect(await shop.call(calls.sendPlan, { id: made.id })).toEqual({ queued: 1 })
    await remove(dana.id)
    await at('2037-12-03T05:10:00Z')
    expect(await lettersTo(dana.email)).toHaveLength(0)
    expect((await outcomes(made.id))[0]).toContain('lostRight')
  })

  test('lost by whoever set it: nobody gets it, and the log says so', async () => {
    clock = new Date('2037-12-04T05:00:00Z')
    const maker = await mate(['reports.sales', 'reportPlans.change'])
    const dana = await mate(['reports.sales'])
    const made = await callAs(world, calls.createPlan, plan({ people: [dana.id] }), {
      token: maker.token,
      ...(await into(maker)),
    })
    // Others see neither it nor its log, the person who sees everything does.
    const other = await mate(['reports.sales', 'reportPlans.change'])
    await expect(
      callAs(world, calls.logOfPlan, { id: made.id }, { token: other.token, ...(await into(other)) }),
    ).rejects.toMatchObject({
      code: 'kit.notFound',
    })
    await remove(maker.id)
    await at('2037-12-04T07:00:30Z')
    expect(await lettersTo(dana.email)).toHaveLength(0)
    expect(await outcomes(made.id)).toEqual([' makerLostRight'])
  })

  /** The person's session, in this business. */
  const into = async ({ id }: { id: string }) => {
    await asSystem(world.app.db, (tx) =>
      sql`update sessions set company_id = ${companyId} where user_id = ${id}`.execute(tx),
    )
    return {}
  }
})

test('the link in the letter ends it for him alone, and only when he says so', async () => {
  clock = new Date('2037-12-06T05:00:00Z')
  const [dana, noa] = [await mate(['reports.sales']), await mate(['reports.sales'])]
  const made = await shop.call(calls.createPlan, plan({ people: [dana.id, noa.id] }))
  await at('2037-12-06T07:00:30Z')
  const key = /reportstop\/([\w-]{32})/.exec((await lettersTo(dana.email))[0]!.text!)![1]!
  expect(await callAs(world, calls.stopFace, { key }, {})).toMatchObject({
    title: 'הכנסות החודש',
    language: 'en',
    hasStopped: false,
  })
  await at('2037-12-07T07:00:30Z')
  expect(await lettersTo(dana.email)).toHaveLength(2)
  expect(await callAs(world, calls.stopByKey, { key, stopped: true }, {})).toMatchObject({ hasStopped: true })
  // Added again by the business the person stays unsubscribed.
  await shop.call(calls.changePlan, { id: made.id, ...plan({ people: [noa.id] }) })
  await shop.call(calls.changePlan, { id: made.id, ...plan({ people: [dana.id, noa.id] }) })
  await at('2037-12-08T07:00:30Z')
  expect([(await lettersTo(dana.email)).length, (await lettersTo(noa.email)).length]).toEqual([2, 3])
  expect(
    (await shop.call(calls.listPlans, {})).rows
      .find(({ id }) => id === made.id)!
      .people.find(({ id }) => id === dana.id),
  ).toMatchObject({
    hasStopped: true,
  })
  await callAs(world, calls.stopByKey, { key, stopped: false }, {})
  await at('2037-12-09T07:00:30Z')
  expect(await lettersTo(dana.email)).toHaveLength(3)
  await expect(callAs(world, calls.stopFace, { key: 'x'.repeat(32) }, {})).rejects.toMatchObject({
    code: 'kit.notFound',
  })
})

test('of another business nothing is seen or changed', async () => {
  const made = await shop.call(calls.createPlan, plan())
  const other = await newBusiness(world)
  expect((await other.call(calls.listPlans, {})).rows).toEqual([])
  for (const call of [calls.dropPlan, calls.sendPlan, calls.logOfPlan])
    await expect(other.call(call, { id: made.id })).rejects.toMatchObject({ code: 'kit.notFound' })
})

test('a condition on a sum is refused to somebody who sees no sums', async () => {
  const { token, id } = await mate(['reports.sales', 'reportPlans.change'], 'he', 'hide_total_prices = true')
  await asSystem(world.app.db, (tx) =>
    sql`update sessions set company_id = ${companyId} where user_id = ${id}`.execute(tx),
  )
  const condition = { total: 'netAgorot', is: 'over', value: 1 }
  await expect(
    callAs(world, calls.createPlan, { ...plan({ people: [id] }), condition } as never, { token }),
  ).rejects.toMatchObject({ status: 403, code: 'reportPlans.noSums' })
})
