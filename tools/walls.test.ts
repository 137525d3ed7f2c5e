import { expect, test } from 'vitest'
import {
  domainInCircles,
  lawElsewhere,
  newerSql,
  ownIncome,
  ownSweeps,
  spelledFacts,
  shortWaits,
  startedTogether,
  upwardInServer,
  utcDays,
} from './walls.ts'

const found = (text: string, path = 'features/sales/x/server/x.ts') => spelledFacts(path, text).length

test.each([
  'sql`where d.type in (8, 9, 10)`',
  'sql`where d.type not in (8)`',
  'sql`where type = 10`',
  'sql`case when o.type <> 5 then 1 end`',
  'sql`where d.type = any (array[8, 9])`',
  'sql`case d.type when 10 then -1 else 1 end`',
  "sql`where d.status <> 'draft'`",
  "sql`where status not in ('draft', 'cancelled')`",
  "sql`where d.status not in (\n  'draft', 'cancelled')`",
  "sql`where d.status is distinct from 'closed'`",
  "sql`where d.status = any (array['draft'])`",
  "sql`update documents set status = 'cancelled'`",
  "sql`case d.status when 'issued' then 1 end`",
  "if (d.status === 'draft') return",
  "if ('draft' === d.status) return",
  "if (p.document_status !== 'cancelled') return",
  "if ((await load(ctx, id)).status === 'draft') return",
  "if (['draft', 'issued'].includes(d.status)) return",
  'if (d.type === 10) return',
  'if (order.document_type === 8) return',
  'if ([8, 9].includes(document.type)) return',
  "call(list, { 'status.in': 'issued,closed' })",
  "const states = ['draft', 'issued', 'partlyClosed', 'closed']",
])('%s spells a fact out', (text) => {
  expect(found(text)).toBe(1)
})

test.each([
  "sql`where ${isIssued('d')} and ${isInvoice('d')}`",
  "sql`where o.state in ('draft', 'cancelled')`",
  'sql`where d.type = ${documentTypes.order.id}`',
  'if (typeFacts(d.type).isCredit) return',
  'if (member.typeId === 9) return',
  "if (order.state === 'cancelled') return",
  "const row = { status: 'draft' }",
])('%s does not', (text) => {
  expect(found(text)).toBe(0)
})

test('the domain describes types and states, and the fragments spell them for everybody', () => {
  expect(found("if (status === 'draft') return", 'domain/documents/life.ts')).toBe(0)
  expect(found('type = 10', 'kit/server/data/documentFacts.ts')).toBe(0)
})

test('says the line', () => {
  expect(spelledFacts('features/a/b/c.ts', "\n\nd.status === 'draft'")).toEqual([
    expect.stringMatching(/^features\/a\/b\/c\.ts:3 /),
  ])
})

test('calls whose refusals are expected in turn are started in turn', () => {
  const loop = (list: string, called: string) =>
    `for (const call of [\n  ${list}\n    ])\n  await expect(${called}).rejects.toMatchObject({})`
  expect(startedTogether(loop('me.call(a, { ids: [1] }),\n  me.call(b, {}),', 'call'))).toEqual(['call'])
  expect(startedTogether(loop('() => me.call(a, {}),\n  () => me.call(b, {}),', 'call()'))).toEqual([])
})

test('income is never the whole net of a document', () => {
  const report = (column: string) => `select sum(${column}) from documents d where ${"${isIncome('d')}"}`
  expect(ownIncome('features/a/b/c.ts', report('d.ils_net_agorot'))).toHaveLength(1)
  expect(ownIncome('features/a/b/c.ts', report('ils_net_agorot'))).toHaveLength(1)
  expect(ownIncome('features/a/b/c.ts', report('l.ils_net_agorot'))).toEqual([])
  expect(ownIncome('features/a/b/c.ts', 'select d.ils_net_agorot from documents d')).toEqual([])
})

test('rows of many businesses are served one by one, by the one way', () => {
  const at = (text: string, path = 'features/sales/x/server/x.ts') => ownSweeps(path, text).length
  expect(at('const timer = setInterval(round, 1000)')).toBe(1)
  expect(
    at("for (const one of rows)\n    booked += await asCaller(app, systemCaller(one.company_id), '', work)"),
  ).toBe(1)
  expect(
    at(
      "for (const { companyId } of rows) {\n    await asCaller(app, systemCaller(companyId), '', work)\n  }",
    ),
  ).toBe(1)
  expect(
    at('for (const { companyId, id } of rows) await inside(app, companyId, (ctx) => work(ctx, id))'),
  ).toBe(1)
  expect(at('for (const { id } of rows) await inside(app, companyId, (ctx) => work(ctx, id))')).toBe(0)
  expect(at("return everyRound(app, 'bookings', minute, round)")).toBe(0)
  expect(at("await attempt(app, 'x', row, () => asCaller(app, systemCaller(row.companyId), '', work))")).toBe(
    0,
  )
  expect(at('setInterval(again, 1000)', 'features/sales/x/web/x.ts')).toBe(0)
})

test.each([
  "const rates = [\n  ['2025-01-01', 1800],\n]",
  'const limits = [[2026, 12_283_300]]',
  "const ceilings = [['2022-08-01', { business: 600_000 }]]",
  'const vatRate = 1800',
  'const vatRateBp = 1700',
  'dueDay: addDays(addMonths(startOfMonth(period.to), 1), 14)',
  'const day = addDays(startOfMonth(addMonths(end, 1)), 22)',
  'return { dueDay: addDays(period.to, 15) }',
  'dueDay: addMonths(`${month}-15`, 1)',
  'const due = (year: number) => `${year + 1}-04-30`',
  "export const reportedFrom = '2026-01-01'",
  "const rate = vatRateOn(values.day ?? '2025-01-01')",
  'const rates = [...new Set([rate, 1800, 1700])]',
  '<bdi className="num">18%</bdi>',
  'const vat = Math.round(net * 0.18)',
  'const shares = { twoThirds: [2, 3] }',
  'const back = (vat * 2) / 3',
])('%s is law outside of its tables', (text) => {
  expect(lawElsewhere('features/a/b/server/c.ts', text)).toHaveLength(1)
  expect(lawElsewhere('domain/law/figures.ts', text)).toEqual([])
})

test.each([
  'const waits = [0, 5, 300, 1800]',
  'inForceOn(`withheld${code}`, day)',
  'addDays(ctx.today, 15)',
  'const from = `${year}-01-01`',
])('%s is not', (text) => expect(lawElsewhere('features/a/b/server/c.ts', text)).toEqual([]))

test('a day taken from a moment in UTC is found, where dates are not in UTC by construction', () => {
  const text = 'const a = 1\nconst day = new Date(now)\n  .toISOString()\n  .slice(0, 10)\n'
  expect(utcDays('tests/x.test.ts', text)).toHaveLength(1)
  expect(utcDays('src/features/a/b/x.ts', "time.toISOString().split('T')[0]")).toHaveLength(1)
  expect(utcDays('src/domain/calendar/rules.ts', text)).toEqual([])
  expect(utcDays('tests/x.test.ts', 'moment.toISOString().slice(0, 16)')).toEqual([])
})

test('SQL newer than PostgreSQL 15 is found, and a figure in the code around it is not', () => {
  const of = (text: string) => newerSql('features/a/b/server/x.ts', text).length
  expect(of("sql`insert into a values (${id}, 'reserve', 342_600)`")).toBe(1)
  expect(of('sql<{ n: number }>`select any_value(n) from a`')).toBe(1)
  expect(of('sql`update a set at = ${new Date(now + 60_000)} where b_1 = 5`')).toBe(0)
  expect(of("sql`select '1_000' as text, part_2 from a`")).toBe(0)
})

test('a journey gives each of its waits the configured time', () => {
  const wait = 'await expect(row).toBeVisible({ timeout: 2000 * slowed })'
  expect(shortWaits('tests/journeys/a.spec.ts', wait)).toHaveLength(1)
  expect(shortWaits('tests/journeys/a.spec.ts', wait.replace('2000', '45_000'))).toEqual([])
  expect(shortWaits('tests/journeys/smoke.spec.ts', wait)).toEqual([])
  expect(shortWaits('tests/bell.test.ts', wait)).toEqual([])
})

test('a folder of the kit uses only those below it', () => {
  const db = 'kit/server/data/db.ts'
  expect(upwardInServer('kit/server/http/api.ts', db)).toBeUndefined()
  expect(upwardInServer(db, 'kit/server/http/api.ts')).toContain('higher')
  expect(upwardInServer('kit/server/rest/a.ts', db)).toContain('order')
  expect(upwardInServer('kit/server/context.ts', db)).toBeUndefined()
})

test('subjects of the domain have an order, with the files beside the folders below all', () => {
  const uses = (...arrows: [string, string][]) =>
    new Map(arrows.map(([from, to]) => [`domain/${from}`, new Set([`domain/${to}`])]))
  expect(domainInCircles(uses(['vat/a.ts', 'documents/b.ts'], ['documents/b.ts', 'money.ts']))).toEqual([])
  expect(domainInCircles(uses(['vat/a.ts', 'documents/b.ts'], ['documents/c.ts', 'vat/d.ts']))).toHaveLength(
    1,
  )
  expect(domainInCircles(uses(['money.ts', 'documents/b.ts'], ['documents/c.ts', 'money.ts']))).toHaveLength(
    1,
  )
})
