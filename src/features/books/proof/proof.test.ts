import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayInJerusalem } from '#domain/day.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { checkProof, sendRoot, showProof } from './endpoints.ts'
import { verifyBooks } from './server/index.ts'

let world: World
let business: Business
beforeAll(async () => {
  world = await startWorld()
  business = await newBusiness(world)
  const { id } = await business.customer('כהן')
  for (const sum of ['100', '250.5', '80']) await business.invoice(id, sum)
})
afterAll(() => world.close())

/** As the owner of the database, whom no trigger and no policy stops. */
const tamper = (change: string) =>
  world.app.db.kysely.connection().execute(async (connection) => {
    await sql
      .raw(`set session_replication_role = replica; ${change}; set session_replication_role = origin`)
      .execute(connection)
  })

/** The whole chain, stretch by stretch, as the screen asks. */
async function checkAll(of: Business) {
  for (let from = 0; ;) {
    const answer = await of.call(checkProof, { from })
    if (answer.done) return answer
    from = answer.to
  }
}

describe('the chain of what was issued', () => {
  test('every document and every entry joins it, in order, with one root for the month', async () => {
    const proof = await business.call(showProof, {})
    // Three invoices and their three entries.
    expect(proof).toMatchObject({ records: 6, waiting: 0, checked: null })
    expect(proof.months).toHaveLength(1)
    expect(proof.months[0]!.root).toMatch(/^[0-9a-f]{64}$/)
    expect(await business.call(checkProof, {})).toMatchObject({ to: 6, total: 6, done: true, broken: null })
    expect((await business.call(showProof, {})).checked).toMatchObject({ records: 6, ok: true })
  })

  test('a later document changes the root and leaves the older links', async () => {
    const before = await business.call(showProof, {})
    const { id } = await business.customer('לוי')
    await business.invoice(id, '10')
    const after = await business.call(showProof, {})
    expect(after.records).toBe(before.records + 2)
    expect(after.months[0]!.root).not.toBe(before.months[0]!.root)
  })

  test('what happens to a document later leaves its link whole: it is paid, credited, cancelled', async () => {
    const { id } = await business.customer('נחום')
    const paid = await business.invoice(id, '100')
    await business.send('POST', '/api4/invoice/documents', {
      type: 6,
      customerId: id,
      lines: [],
      payments: [{ means: 1, amountAgorot: 5_000 }],
      closes: [{ documentId: paid.id, amountAgorot: 5_000 }],
    })
    const { id: wrong } = await business.invoice(id, '50')
    await business.call(showProof, {})
    await business.send('POST', `/api4/invoice/documents/${wrong}/cancel`, { reason: 'טעות' })
    expect((await checkAll(business)).broken).toBeNull()
  })

  test('what may change of a document is not in the chain; what may not, is', async () => {
    await tamper('update documents set viewed_at = now() where number = 2')
    expect((await checkAll(business)).broken).toBeNull()
    await tamper(`update documents set subject = 'אחר' where number = 2`)
    expect((await checkAll(business)).broken).toMatchObject({
      why: 'changed',
      kind: 'document',
      number: 2,
      type: 8,
    })
    await tamper(`update documents set subject = '' where number = 2`)
    expect((await checkAll(business)).broken).toBeNull()
    await tamper(`update documents set deliver_to = '{"street":"אחר 1"}' where number = 2`)
    expect((await checkAll(business)).broken).toMatchObject({ why: 'changed', number: 2 })
    await tamper('update documents set deliver_to = null where number = 2')
    expect((await checkAll(business)).broken).toBeNull()
  })

  test.each([
    [
      'a line of an invoice',
      'update document_lines set description = $a where document_id = (select id from documents where number = 1)',
      'changed',
    ],
    [
      'an entry’s account',
      'update postings set amount_agorot = amount_agorot * 2 where entry_id = (select id from entries limit 1)',
      'changed',
    ],
    [
      'a record taken out',
      'delete from postings; delete from entries where document_id = (select id from documents where number = 3)',
      'changed',
    ],
    ['a link rewritten', 'update chain_links set digest = link where seq = 4', 'link'],
    ['the end cut off', 'delete from chain_links where seq = (select max(seq) from chain_links)', 'short'],
    ['a record put in behind its back', 'delete from chain_waiting', 'unjoined'],
  ])('%s is named', async (name, change, why) => {
    const other = await newBusiness(world)
    const { id } = await other.customer('פרץ')
    for (const sum of ['10', '20', '30']) await other.invoice(id, sum)
    if (why !== 'unjoined') await other.call(showProof, {})
    const { rows } = await sql<{ id: string }>`select company_id as id from parties where id = ${id}`.execute(
      world.app.db.kysely,
    )
    const only = `company_id = '${rows[0]!.id}'`
    const text = change
      .replaceAll('$a', `'אחר'`)
      .replaceAll('from documents where', `from documents where ${only} and`)
      .replace('from entries limit', `from entries where ${only} limit`)
      .replace('delete from postings', `delete from postings where ${only}`)
      .replace('where seq', `where ${only} and seq`)
      .replace('from chain_links)', `from chain_links where ${only})`)
      .replace('from chain_waiting', `from chain_waiting where ${only}`)
    await tamper(text)
    const { broken } = await checkAll(other)
    expect(broken, name).toMatchObject({ why })
    expect((await other.call(showProof, {})).checked).toMatchObject({ ok: false })
    for await (const found of verifyBooks(world.app, rows[0]!.id))
      expect(found.broken).toMatchObject({ why, seq: broken!.seq })
  })

  test('the root of a month goes by mail; of a month without anything it does not', async () => {
    const { messageId } = await business.call(sendRoot, {
      month: dayInJerusalem(new Date()).slice(0, 7),
      recipient: 'cpa@example.com',
    })
    await world.worker.drain()
    const { rows } = await sql<{
      state: string
      body: string
    }>`select state, body from messages where id = ${messageId}`.execute(world.app.db.kysely)
    expect(rows[0]!.state).toBe('kept')
    expect(rows[0]!.body).toMatch(/[0-9a-f]{64}/)
    await expect(
      business.call(sendRoot, { month: '2019-01', recipient: 'cpa@example.com' }),
    ).rejects.toMatchObject({
      code: 'proof.noMonth',
    })
  })

  test('the application’s own role can neither add a link nor take one out', async () => {
    const { rows } = await sql<{ id: string }>`select company_id as id from chain_links limit 1`.execute(
      world.app.db.kysely,
    )
    for (const change of [
      'delete from chain_links',
      'update chain_heads set seq = 0',
      'delete from chain_waiting',
    ])
      await expect(
        world.app.db.kysely.transaction().execute(async (tx) => {
          await sql.raw(`set local role pinkas_app; set local pinkas.company = '${rows[0]!.id}'`).execute(tx)
          await sql.raw(change).execute(tx)
        }),
      ).rejects.toThrow(/permission denied/)
  })
})
