import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'

let world: World
let builder: Business
beforeAll(async () => {
  world = await startWorld()
  builder = await newBusiness(world)
})
afterAll(() => world.close())

const project = (values: Record<string, unknown>) => builder.send('POST', '/api4/invoice/projects', values)

test('a project counts the income of its invoices before VAT, less what was credited', async () => {
  const owner = await builder.customer('דיירי הזית')
  const roof = await project({
    name: 'גג',
    number: 'P-1',
    customerId: owner.id,
    budgetIncomeAgorot: 1_000_000,
    budgetExpenseAgorot: 400_000,
  })
  const other = await project({ name: 'חצר' })
  await builder.invoice(owner.id, '3000', { projectId: roof.id })
  const mistake = await builder.invoice(owner.id, '500', { projectId: roof.id })
  await builder.invoice(owner.id, '70')
  await builder.call(createDocument, {
    type: 8,
    customerId: owner.id,
    projectId: roof.id,
    draft: true,
    lines: [{ description: 'x', unitPrice: '9' }],
  })
  const income = async (id: string) => (await builder.get(`/api4/invoice/projects/${id}`)).incomeAgorot
  expect(await income(roof.id)).toBe(350_000)
  await builder.call(cancelDocument, { id: mistake.id, reason: 'טעות' })
  expect(await income(roof.id)).toBe(300_000)
  expect(await income(other.id)).toBe(0)
  // A dollar counts as it stood in the books.
  await builder.invoice(owner.id, '100', { projectId: other.id, currency: 'USD', rate: '3.5' })
  expect(await income(other.id)).toBe(35_000)

  const { rows, totals, checks } = await builder.get('/api4/invoice/reports/projects')
  expect(rows.find((r: { number: string }) => r.number === 'P-1')).toMatchObject({
    customer: 'דיירי הזית',
    budgetIncomeAgorot: 1_000_000,
    incomeAgorot: 300_000,
    leftIncomeAgorot: 700_000,
    leftExpenseAgorot: 400_000,
    profitAgorot: 300_000,
  })
  expect(totals.incomeAgorot).toBe(335_000)
  expect(checks).toEqual([{ name: 'profit', ok: true }])
  const documents = (await builder.get(`/api4/invoice/documents?projectId=${roof.id}`)).rows
  expect(documents).toHaveLength(4)
  expect(documents[0]).toMatchObject({ projectIdName: 'גג' })
})

test('a closed project takes no new papers, but one of its own may still be credited', async () => {
  const owner = await builder.customer('בעלים')
  const { id } = await project({ name: 'נגמר' })
  const invoice = await builder.invoice(owner.id, '100', { projectId: id })
  await builder.send('PATCH', `/api4/invoice/projects/${id}`, { state: 'closed' })
  await expect(builder.invoice(owner.id, '100', { projectId: id })).rejects.toMatchObject({
    errors: [{ path: 'projectId', code: 'projects.closed' }],
  })
  await builder.call(cancelDocument, { id: invoice.id, reason: 'טעות' })
  expect((await builder.get(`/api4/invoice/projects/${id}`)).incomeAgorot).toBe(0)
})

test('another’s project, one number twice and days in the wrong order are refused', async () => {
  const stranger = await newBusiness(world)
  const theirs = await stranger.send('POST', '/api4/invoice/projects', { name: 'זר' })
  const owner = await builder.customer('מישהו')
  await expect(builder.invoice(owner.id, '1', { projectId: theirs.id })).rejects.toMatchObject({
    errors: [{ path: 'projectId', code: 'fields.ref' }],
  })
  await project({ name: 'א', number: '7' })
  await expect(project({ name: 'ב', number: '7' })).rejects.toMatchObject({
    errors: [{ path: 'number', code: 'fields.taken' }],
  })
  await expect(project({ name: 'ג', fromDay: '2026-02-01', toDay: '2026-01-01' })).rejects.toMatchObject({
    errors: [{ path: 'toDay' }],
  })
})

test('whoever sees some types of documents gets no sums, which would be parts', async () => {
  const firm = await newBusiness(world)
  const { id } = await firm.send('POST', '/api4/invoice/projects', { name: 'שלם' })
  await firm.invoice((await firm.customer('x')).id, '100', { projectId: id })
  const me = await firm.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set docs_allow = '{10}' where company_id = ${me.companyId}`.execute(tx),
  )
  expect(await firm.get(`/api4/invoice/projects/${id}`)).toMatchObject({
    incomeAgorot: null,
    profitAgorot: null,
  })
  await expect(firm.get('/api4/invoice/reports/projects')).rejects.toMatchObject({ status: 403 })
})
