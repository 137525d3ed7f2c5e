import { createHash, createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { honest, spam } from '#domain/leads/corpus.fixture.ts'
import { isProof } from '#kit/server/http/challenge.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { bellSettings, listNotifications, setBell } from '#features/people/bell/endpoints.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import type { LeadCard, LeadStage } from './endpoints.ts'
import { askUnread } from './server/facebook/index.ts'
import { standingPage } from './server/facebook/simulator.ts'
import { tellMorning } from './server/morning.ts'
import { tellStale } from './server/stale.ts'

let world: World
let firm: Business
let companyId: string
let clock = new Date()
let stages: LeadStage[]
beforeAll(async () => {
  world = await startWorld(() => clock)
  firm = await newBusiness(world)
  companyId = (await firm.get('/api/user/session')).companyId
  stages = (await firm.call(calls.listStages, {})).rows
})
afterAll(() => world.close())

const lead = (values: Record<string, unknown>, of = firm) =>
  of.send('POST', '/api4/invoice/leads', { name: 'דנה', ...values })
const cardOf = async (id: string, of = firm): Promise<LeadCard> =>
  (await of.call(calls.leadBoard, { ids: id })).rows[0]!
const source = (name: string, channel: string, more = {}, of = firm) =>
  of.send('POST', '/api4/invoice/leadSources', { name, channel, ...more })
const doorOf = async (id: string, of = firm) => of.call(calls.sourceDoor, { id })

async function mate(
  rules: number[],
  { own = false, name = 'דנה', at = companyId } = {},
): Promise<{ token: string; id: string }> {
  const other = await newBusiness(world)
  return asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from users where email = ${other.email}`.execute(tx)
    const id = rows[0]!.id
    await sql`update users set full_name = ${name} where id = ${id}`.execute(tx)
    await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices,
        own_customers_only)
      values (${at}, ${id}, 9, ${rules}::int[], '{}', false, ${own})`.execute(tx)
    await sql`update sessions set company_id = ${at} where user_id = ${id}`.execute(tx)
    return { token: other.token, id }
  })
}

/** The work a page does before it sends. */
function prove(challenge: string, bits: number): string {
  for (let n = 0; ; n++) if (isProof(challenge, String(n), bits)) return String(n)
}

describe('a lead', () => {
  test('has one draft of a quote at a time, for who it says it is', async () => {
    const { id } = await lead({ name: 'רועי לב', phone: '052-1112299', company: 'לב בע״מ' })
    const { quoteId } = await firm.call(calls.quoteLead, { id })
    expect(await firm.call(calls.quoteLead, { id })).toEqual({ quoteId })
    const quote = await firm.call(getDocument, { id: quoteId })
    expect([quote.type, quote.status, quote.customer?.name]).toEqual([1, 'draft', 'לב בע״מ'])
    const { version } = await cardOf(id)
    await firm.call(calls.moveLead, {
      id,
      version,
      stageId: stages.find(({ outcome }) => outcome === 'lost')!.id,
      reason: 'יקר',
    })
    await expect(firm.call(calls.quoteLead, { id })).rejects.toMatchObject({ code: 'leads.isClosed' })
  })

  test('begins in the first stage, goes its way, and every step is kept for ever', async () => {
    const { id } = await lead({ phone: '052-1112233' })
    const card = await cardOf(id)
    expect(card).toMatchObject({ stageId: stages[0]!.id, outcome: 'open', firstAnswerAt: null })
    const moved = await firm.call(calls.moveLead, { id, version: card.version, stageId: stages[1]!.id })
    // The person who moves it on has answered it.
    expect(moved.firstAnswerAt).not.toBeNull()
    expect((await firm.call(calls.leadHistory, { id })).moves.map(({ stage }) => stage)).toEqual([
      stages[0]!.name,
      stages[1]!.name,
    ])
    const old = await raw(
      world,
      calls.moveLead,
      { id, version: card.version, stageId: stages[2]!.id },
      { token: firm.token },
    )
    expect(old.statusCode).toBe(409)
    expect(JSON.parse(old.json<{ params: { card: string } }>().params.card)).toMatchObject({
      stageId: stages[1]!.id,
    })
    await expect(
      sql`update lead_moves set stage_id = ${stages[3]!.id}`.execute(world.app.db.kysely),
    ).resolves.toBeDefined()
  })

  test('lost asks why, won asks more than a place', async () => {
    const { id } = await lead({ phone: '052-1112244' })
    const lost = stages.find(({ outcome }) => outcome === 'lost')!
    const won = stages.find(({ outcome }) => outcome === 'won')!
    const { version } = await cardOf(id)
    await expect(firm.call(calls.moveLead, { id, version, stageId: lost.id })).rejects.toMatchObject({
      errors: [{ path: 'reason', code: 'fields.need' }],
    })
    await expect(firm.call(calls.moveLead, { id, version, stageId: won.id })).rejects.toMatchObject({
      code: 'leads.winFirst',
    })
    const closed = await firm.call(calls.moveLead, { id, version, stageId: lost.id, reason: 'יקר' })
    expect(closed).toMatchObject({ outcome: 'lost', lostReason: 'יקר' })
    expect((await firm.call(calls.leadReasons, {})).rows).toContain('יקר')
    const back = await firm.call(calls.moveLead, { id, version: closed.version, stageId: stages[0]!.id })
    expect(back).toMatchObject({ outcome: 'open', lostReason: '' })
  })

  test('won makes customer, contact and quote in one step, and what was said goes along', async () => {
    const { id } = await lead({
      name: 'יעל רון',
      company: 'סטודיו רון',
      phone: '054-9998877',
      email: 'yael@example.com',
      city: 'חיפה',
    })
    await firm.send('POST', '/api4/invoice/interactions', { leadId: id, channel: 'call', text: 'ביקשה הצעה' })
    const { version } = await cardOf(id)
    const lines = [
      { description: 'תאורה', quantity: '2', unitPrice: '150' },
      { description: 'ביקור', unitPrice: '80' },
    ]
    const {
      lead: card,
      customerId,
      contactId,
      quoteId,
    } = await firm.call(calls.winLead, { id, version, sumAgorot: 38_000, lines })
    expect(card).toMatchObject({ outcome: 'won', sumAgorot: 38_000 })
    expect(await firm.get(`/api4/invoice/customers/${customerId}`)).toMatchObject({
      name: 'סטודיו רון',
      contact: 'יעל רון',
      email: 'yael@example.com',
      city: 'חיפה',
    })
    expect(await firm.get(`/api4/invoice/customerContacts/${contactId}`)).toMatchObject({
      name: 'יעל רון',
      partyId: customerId,
    })
    const quote = await firm.get(`/api4/invoice/documents/${quoteId}`)
    expect(quote).toMatchObject({ type: 1, status: 'draft', customerId })
    expect(quote.lines.map((line: { description: string }) => line.description)).toEqual(['תאורה', 'ביקור'])
    const { rows } = await firm.get(`/api4/invoice/interactions?customerId=${customerId}`)
    expect(rows).toHaveLength(1)
    await expect(firm.call(calls.winLead, { id, version: card.version })).rejects.toMatchObject({
      code: 'leads.isClosed',
    })
  })

  test('won for a customer of ours, and for nobody else', async () => {
    const { id } = await lead({ name: 'זוהר', phone: '054-9998811' })
    const { version } = await cardOf(id)
    const ours = (await firm.customer('לקוח קיים')).id
    const gone = (await firm.customer('לקוח לשעבר')).id
    await firm.send('DELETE', `/api4/invoice/customers/${gone}`)
    const supplier = (await firm.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })).id
    const stranger = (await (await newBusiness(world)).customer('של אחרים')).id
    for (const customerId of [gone, supplier, stranger, '019b0000-0000-7000-8000-000000000000'])
      await expect(firm.call(calls.winLead, { id, version, customerId })).rejects.toMatchObject({
        errors: [{ path: 'customerId', code: 'fields.ref' }],
      })
    expect(await firm.call(calls.winLead, { id, version, customerId: ours })).toMatchObject({
      customerId: ours,
    })
  })

  test('nothing of it stays when one part is refused', async () => {
    const { id } = await lead({ name: 'חצי', phone: '054-9998800' })
    const { version } = await cardOf(id)
    const before = (await firm.get('/api4/invoice/customers?q=חצי')).rows.length
    await expect(
      firm.call(calls.winLead, { id, version, lines: [{ description: 'x', unitPrice: 'לא מספר' }] }),
    ).rejects.toMatchObject({
      status: 422,
    })
    expect((await firm.get('/api4/invoice/customers?q=חצי')).rows).toHaveLength(before)
    expect(await cardOf(id)).toMatchObject({ outcome: 'open', version })
  })

  test('twins are told before and after, among leads and customers', async () => {
    const { id } = await lead({ name: 'תאום', phone: '+972 50-777 6655', email: 'twin@example.com' })
    const customer = await firm.customer('לקוח תאום', { mobile: '0507776655' })
    const { rows } = await firm.call(calls.leadTwins, { phone: '050-7776655' })
    expect(rows.map((one) => [one.kind, one.id, one.by])).toEqual([
      ['lead', id, ['phone']],
      ['customer', customer.id, ['phone']],
    ])
    expect((await firm.call(calls.leadTwins, { phone: '1234' })).rows).toEqual([])
  })

  test('what makes no sense is refused at its field', async () => {
    const bad = async (values: Record<string, unknown>, path: string) =>
      expect(lead(values)).rejects.toMatchObject({ errors: [{ path }] })
    await bad({ phone: '1234' }, 'phone')
    await bad({ email: 'someone@' }, 'email')
    await bad({ notes: 'x'.repeat(100_000) }, 'notes')
    const stranger = await newBusiness(world)
    const theirs = await source('שלהם', 'form', {}, stranger)
    await bad({ sourceId: theirs.id }, 'sourceId')
    const kind = await firm.send('POST', '/api4/invoice/leadKinds', { name: 'התקנה' })
    const { fields } = await firm.call(calls.setKindFields, {
      id: kind.id,
      fields: [{ name: 'שטח', kind: 'number', needed: true }],
    })
    await bad({ kindId: kind.id }, 'own')
    await bad({ kindId: kind.id, own: { [fields[0]!.id]: 'הרבה' } }, 'own')
    const made = await lead({ name: '=HYPERLINK("x")', kindId: kind.id, own: { [fields[0]!.id]: 40 } })
    const other = await firm.send('POST', '/api4/invoice/leadStages', {
      name: 'של סוג אחר',
      kindId: (await firm.send('POST', '/api4/invoice/leadKinds', { name: 'שירות' })).id,
    })
    await expect(
      firm.call(calls.moveLead, { id: made.id, version: (await cardOf(made.id)).version, stageId: other.id }),
    ).rejects.toMatchObject({ code: 'leads.wrongKind' })
    // A formula in a name is text in a file.
    const file = String(await firm.get('/api4/invoiceexport/leads?format=csv'))
    expect(file).not.toMatch(/(^|[\n,])"?=HYPERLINK/)
  })
})

describe('what comes in', () => {
  test('thirty at once with one phone number are one lead with thirty contacts', async () => {
    const { id } = await source('קמפיין', 'api')
    const { key } = await doorOf(id)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        callAs(world, calls.bringLead, {
          key,
          name: `פונה ${n}`,
          phone: n % 2 ? '052-4445566' : '+972524445566',
          message: `פנייה ${n}`,
        }),
      ),
    )
    expect(new Set(answers.map(({ leadId }) => leadId)).size).toBe(1)
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
    const { leadId } = answers[0]!
    const { rows } = await firm.get(`/api4/invoice/interactions?leadId=${leadId}&size=100`)
    expect(rows).toHaveLength(30)
    const { rows: counted } = await sql<{
      n: number
    }>`select count(*)::int as n from leads where company_id = ${companyId}
        and phone_key = '0524445566'`.execute(world.app.db.kysely)
    expect(counted[0]!.n).toBe(1)
  })

  test('the same number of the sender is taken once; a lead that was closed begins anew', async () => {
    const { id } = await source('תוכנה', 'api')
    const { key } = await doorOf(id)
    const bring = (more = {}) =>
      callAs(world, calls.bringLead, { key, externalId: 'A-1', name: 'רות', phone: '053-1230001', ...more })
    const first = await bring()
    expect(await bring()).toEqual({ leadId: first.leadId, isNew: false })
    expect((await firm.get(`/api4/invoice/interactions?leadId=${first.leadId}`)).rows).toHaveLength(1)
    const card = await cardOf(first.leadId!)
    await firm.call(calls.moveLead, {
      id: card.id,
      version: card.version,
      stageId: stages.find(({ outcome }) => outcome === 'lost')!.id,
      reason: 'לא עכשיו',
    })
    const later = await bring({ externalId: 'A-2' })
    expect(later.isNew).toBe(true)
    expect(later.leadId).not.toBe(first.leadId)
  })

  test('one that was written down by hand gets the contact too', async () => {
    const byHand = await lead({ name: 'ביד', phone: '053-7770099' })
    const { key } = await doorOf((await source('אחרי יד', 'api')).id)
    expect(await callAs(world, calls.bringLead, { key, name: 'ביד', phone: '+972 53 777 0099' })).toEqual({
      leadId: byHand.id,
      isNew: false,
    })
    // Nobody is assigned the next one: the owners are notified.
    const fresh = await callAs(world, calls.bringLead, { key, name: 'של אף אחד', phone: '053-7770098' })
    expect((await firm.call(listNotifications, {})).rows[0]).toMatchObject({
      kind: 'lead.new',
      entityId: fresh.leadId,
    })
  })

  test('a phone and a mail of two leads do not make a third', async () => {
    const { key } = await doorOf((await source('שניים', 'api')).id)
    const bring = (values: object) => callAs(world, calls.bringLead, { key, name: 'אחד', ...values } as never)
    const a = await bring({ phone: '053-7770001' })
    const b = await bring({ email: 'two@example.com' })
    const both = await bring({ phone: '053-7770001', email: 'two@example.com' })
    expect([a.leadId, b.leadId]).toContain(both.leadId)
    expect(both.isNew).toBe(false)
  })

  test('a door that is shut, of another kind or renewed opens nothing', async () => {
    const made = await source('דלת', 'api')
    const { key } = await doorOf(made.id)
    const bring = (of: string) => callAs(world, calls.bringLead, { key: of, name: 'x', phone: '0521234567' })
    await expect(callAs(world, calls.formPage, { key })).rejects.toMatchObject({ status: 404 })
    await firm.call(calls.renewDoor, { id: made.id })
    await expect(bring(key)).rejects.toMatchObject({ status: 404 })
    const next = (await doorOf(made.id)).key
    await bring(next)
    await firm.send('PATCH', `/api4/invoice/leadSources/${made.id}`, { isOn: false })
    await expect(bring(next)).rejects.toMatchObject({ status: 404 })
    await expect(callAs(world, calls.bringLead, { key: next, name: 'x', phone: '12' })).rejects.toMatchObject(
      { status: 404 },
    )
  })
})

describe('the form in a foreign page', () => {
  let key = ''
  beforeAll(async () => {
    key = (await doorOf((await source('אתר', 'form')).id)).key
  })
  const asked = async () => {
    const page = await callAs(world, calls.formPage, { key })
    // People take their time.
    clock = new Date(clock.getTime() + 20_000)
    return { challenge: page.challenge, proof: prove(page.challenge, page.bits) }
  }
  const state = async (name: string) =>
    (
      await sql<{
        state: string
        doubts: string[]
        lead_id: string | null
      }>`select state, doubts, lead_id from lead_intakes where company_id = ${companyId}
          and given->>'name' = ${name}`.execute(world.app.db.kysely)
    ).rows[0]

  test('may be asked by every page, sets no cookie, and says what it is for', async () => {
    for (const path of ['', '/form.js']) {
      const answer = await world.http.inject({
        method: 'GET',
        url: `/api2/invoice/leadform/${key}${path}`,
        headers: { origin: 'https://foreign.example' },
      })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
    const script = await world.http.inject({ method: 'GET', url: `/api2/invoice/leadform/${key}/form.js` })
    expect(script.headers['content-type']).toContain('text/javascript')
    expect(() => new Function(script.body)).not.toThrow()
    expect(script.body).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB/)
    const before = await world.http.inject({
      method: 'OPTIONS',
      url: `/api2/invoice/leadform/${key}`,
      headers: { origin: 'https://foreign.example', 'access-control-request-method': 'POST' },
    })
    expect(before.statusCode).toBe(204)
    // Everything else of ours stays shut to other sites.
    const other = await world.http.inject({
      method: 'GET',
      url: '/api4/invoice/customers',
      headers: { origin: 'https://foreign.example' },
    })
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('takes an honest one, once for each time it was shown', async () => {
    const shown = await asked()
    await callAs(world, calls.sendForm, { key, ...honest[0]!, name: 'הגונה', phone: '052-6660001', ...shown })
    expect(await state('הגונה')).toMatchObject({ state: 'taken' })
    await callAs(world, calls.sendForm, {
      key,
      ...honest[0]!,
      name: 'הגונה שוב',
      phone: '052-6660002',
      ...shown,
    })
    expect(await state('הגונה שוב')).toBeUndefined()
  })

  test('what is doubtful waits for a person and is never lost; what is told is the same', async () => {
    const { thanks } = await callAs(world, calls.sendForm, { key, name: 'בלי עבודה', phone: '052-6660003' })
    expect(thanks).not.toBe('')
    const held = await state('בלי עבודה')
    expect(held).toMatchObject({ state: 'toCheck', doubts: ['unproved'], lead_id: null })
    const { rows, toCheck } = await firm.call(calls.listIntakes, {})
    expect(toCheck).toBeGreaterThan(0)
    const { leadId } = await firm.call(calls.decideIntake, {
      id: rows.find(({ name }) => name === 'בלי עבודה')!.id,
      take: true,
    })
    expect(await cardOf(leadId!)).toMatchObject({ name: 'בלי עבודה' })
    const shown = await asked()
    await callAs(world, calls.sendForm, {
      key,
      name: 'מלכודת',
      phone: '052-6660004',
      website: 'http://x.example',
      ...shown,
    })
    expect(await state('מלכודת')).toMatchObject({ state: 'dropped' })
    const forged = await asked()
    await callAs(world, calls.sendForm, {
      key,
      name: 'זיוף',
      phone: '052-6660005',
      ...forged,
      challenge: forged.challenge.replace(/^\w/, 'z'),
    })
    expect(await state('זיוף')).toMatchObject({ state: 'toCheck' })
  })

  test('of a corpus through the real door 95 in 100 of the spam stay out and 99 in 100 of the honest come in', async () => {
    const some = [
      ...honest.filter((_, n) => n % 4 === 0).map((text) => ({ text, good: true })),
      ...spam.filter((_, n) => n % 3 === 0).map((text) => ({ text, good: false })),
    ]
    const out: Record<string, number> = { good: 0, goodTaken: 0, bad: 0, badTaken: 0 }
    for (const [n, { text, good }] of some.entries()) {
      const shown = await asked()
      const name = `${text.name} #${n}`
      await callAs(world, calls.sendForm, {
        key,
        ...text,
        name,
        phone: text.phone && `052-55${String(10_000 + n)}`,
        email: text.email && `p${n}@example.com`,
        message: text.message && `${text.message} (${n})`,
        ...shown,
      })
      const taken = (await state(name))?.state === 'taken'
      out[good ? 'good' : 'bad']!++
      if (taken) out[good ? 'goodTaken' : 'badTaken']!++
    }
    expect(out.goodTaken! / out.good!).toBeGreaterThanOrEqual(0.99)
    expect(out.badTaken! / out.bad!).toBeLessThanOrEqual(0.05)
  }, 60_000)
})

describe('a lead form at Facebook', () => {
  const appSecret = 'secret-of-the-app'
  const tell = (url: string, leadgenId: string, secret = appSecret) => {
    const payload = JSON.stringify({
      object: 'page',
      entry: [
        {
          id: '1',
          time: 1,
          changes: [
            {
              field: 'leadgen',
              value: { leadgen_id: leadgenId, page_id: '1', form_id: '7', created_time: 1 },
            },
            { field: 'feed', value: { leadgen_id: '999' } },
          ],
        },
      ],
    })
    return world.http.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`,
      },
      payload,
    })
  }
  const left = (id: string, answers: Record<string, string>) =>
    standingPage.leads.set(id, {
      created_time: '2031-05-20T09:00:00+0000',
      form_id: '7',
      field_data: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
    })
  const waiting = async () =>
    (await firm.call(calls.listIntakes, {})).rows.filter(({ source: of }) => of === 'עמוד בפייסבוק')
  let id: string
  let url: string
  let verifyToken: string
  beforeAll(async () => {
    ;(world.app.settings as { facebook: string }).facebook = 'simulator'
    id = (await source('עמוד בפייסבוק', 'facebook')).id
    const { facebook } = await doorOf(id)
    ;({ callbackUrl: url, verifyToken } = facebook!)
  })

  test('is known by its word, and only by it', async () => {
    const hello = (token: string) =>
      world.http.inject({
        method: 'GET',
        url: `${new URL(url).pathname}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444' })}`,
      })
    const answer = await hello(verifyToken)
    expect([answer.statusCode, answer.body]).toEqual([200, '1158201444'])
    expect((await hello(`${verifyToken}x`)).statusCode).toBe(403)
    expect((await doorOf((await source('אחר', 'api')).id)).facebook).toBeNull()
  })

  test('brings what was written once, with the secrets locked away', async () => {
    // Before anything is set nobody can sign.
    expect((await tell(url, '1001', '')).statusCode).toBe(401)
    await expect(firm.call(calls.setFacebook, { id, appSecret })).rejects.toMatchObject({
      errors: [{ path: 'pageToken' }],
    })
    await firm.call(calls.setFacebook, { id, appSecret, pageToken: standingPage.token })
    expect((await doorOf(id)).facebook).toMatchObject({ isSet: true })
    const { rows: kept } = await sql<{
      sealed: Buffer
    }>`select facebook_sealed as sealed from lead_sources where id = ${id}`.execute(world.app.db.kysely)
    expect(kept[0]!.sealed.includes(appSecret) || kept[0]!.sealed.includes(standingPage.token)).toBe(false)
    left('1001', {
      full_name: 'רונית פייסבוק',
      phone_number: '+972528880001',
      email: 'ronit@example.com',
      'what_do_you_need?': 'צביעה',
    })
    expect((await tell(url, '1001', 'wrong')).statusCode).toBe(401)
    for (let times = 0; times < 2; times++) expect((await tell(url, '1001')).statusCode).toBe(200)
    await world.worker.drain()
    const { rows } = await firm.get(`/api4/invoice/leads?q=${encodeURIComponent('רונית פייסבוק')}`)
    expect(rows).toMatchObject([{ phone: '+972528880001', email: 'ronit@example.com', sourceId: id }])
    const { rows: said } = await firm.get(`/api4/invoice/interactions?leadId=${rows[0].id}`)
    expect(said).toMatchObject([
      { direction: 'in', text: expect.stringContaining('what do you need?: צביעה') },
    ])
  })

  test('loses nothing while Facebook is away or the token is old: it waits to be read', async () => {
    left('1002', { first_name: 'אבי', last_name: 'כהן', phone_number: '0528880002' })
    standingPage.mood = 'down'
    expect((await tell(url, '1002')).statusCode).toBe(200)
    await world.worker.drain()
    expect(await waiting()).toMatchObject([{ name: 'Facebook 1002', doubts: ['unread'] }])
    standingPage.mood = 'well'
    clock = new Date(clock.getTime() + 3_600_000)
    await askUnread(world.app)
    clock = new Date(clock.getTime() - 3_600_000)
    await world.worker.drain()
    expect(await waiting()).toEqual([])
    expect((await firm.get(`/api4/invoice/leads?q=${encodeURIComponent('אבי כהן')}`)).rows).toHaveLength(1)
    // Nobody can be reached: a person looks at it.
    left('1003', { full_name: 'בלי דרך' })
    await tell(url, '1003')
    await world.worker.drain()
    expect(await waiting()).toMatchObject([{ name: 'בלי דרך', doubts: ['unreachable'] }])
  })
})

describe('handing over', () => {
  test('by the rules in turn, past who is away, with a preview that changes nothing and a trace', async () => {
    const [a, b] = [await mate([205, 208], { name: 'אבי' }), await mate([205, 208], { name: 'בתיה' })]
    const made = await source('לחלוקה', 'api')
    const { key } = await doorOf(made.id)
    await firm.call(calls.saveRule, { name: 'לפי תור', sourceId: made.id, people: [a.id, b.id] })
    const owners = []
    for (let n = 0; n < 4; n++) {
      const { leadId } = await callAs(world, calls.bringLead, {
        key,
        name: `ח ${n}`,
        phone: `053-22200${n}0`,
      })
      owners.push((await cardOf(leadId!)).ownerId)
    }
    expect(owners).toEqual([a.id, b.id, a.id, b.id])
    expect(
      (await callAs(world, listNotifications, {}, { token: a.token })).rows.map(({ kind }) => kind),
    ).toEqual(['lead.new', 'lead.new'])
    await firm.call(calls.setAbsence, { userId: a.id, until: dayInJerusalem(clock) })
    const { leadId } = await callAs(world, calls.bringLead, { key, name: 'ח 5', phone: '053-2220090' })
    expect((await cardOf(leadId!)).ownerId).toBe(b.id)
    await firm.call(calls.setAbsence, { userId: a.id, until: null })
    const asked = { from: b.id, how: 'load' as const, people: [a.id] }
    const seen = await firm.call(calls.previewTransfer, asked)
    expect(seen.rows.map(({ to }) => to)).toEqual(['אבי', 'אבי', 'אבי'])
    expect((await cardOf(leadId!)).ownerId).toBe(b.id)
    expect((await firm.call(calls.transferLeads, asked)).rows).toEqual(seen.rows)
    expect((await cardOf(leadId!)).ownerId).toBe(a.id)
    const { rows } = await firm.call(calls.listHandovers, {})
    expect(rows.slice(0, 3).map(({ from, to }) => [from, to])).toEqual([
      ['בתיה', 'אבי'],
      ['בתיה', 'אבי'],
      ['בתיה', 'אבי'],
    ])
    await expect(firm.call(calls.previewTransfer, { from: 'nobody', how: 'turn' })).rejects.toMatchObject({
      errors: [{ path: 'people' }],
    })
  })

  test('who sees his own sees nobody else’s, cannot hand over nor take the list away', async () => {
    const plain = await mate([205, 208, 212, 213], { name: 'גיא' })
    const whole = await mate([205, 207, 208, 211], { name: 'דפנה' })
    const mine = await lead({ name: 'שלי', phone: '053-3330001', ownerId: plain.id })
    const theirs = await lead({ name: 'לא שלי', phone: '053-3330002' })
    const seen = async (token: string) =>
      (await callAs(world, calls.leadBoard, {}, { token })).rows.map(({ id }) => id)
    expect(await seen(plain.token)).toEqual([mine.id])
    expect(await seen(whole.token)).toContain(theirs.id)
    const as = (token: string, url: string) =>
      world.http.inject({ method: 'GET', url, headers: { 'x-access-token': token } })
    expect((await as(plain.token, `/api4/invoice/leads/${theirs.id}`)).statusCode).toBe(404)
    expect((await as(plain.token, '/api4/invoiceexport/leads?format=csv')).statusCode).toBe(403)
    expect((await as(whole.token, '/api4/invoiceexport/leads?format=csv')).statusCode).toBe(200)
    await expect(
      callAs(world, calls.transferLeads, { from: 'anybody', how: 'rules' }, { token: whole.token }),
    ).rejects.toMatchObject({
      status: 403,
    })
    await expect(
      callAs(
        world,
        calls.moveLead,
        { id: theirs.id, version: 1, stageId: stages[1]!.id },
        { token: plain.token },
      ),
    ).rejects.toMatchObject({ status: 404 })
    // Writing about it or answering by its id is refused as well.
    const writes = (url: string, body: Record<string, unknown>) =>
      world.http.inject({ method: 'POST', url, headers: { 'x-access-token': writer.token }, payload: body })
    const writer = await mate([205, 208, 212, 213, 200, 203], { name: 'רועי' })
    for (const [url, about] of [
      ['/api4/invoice/interactions', { channel: 'call', direction: 'out', text: 'שיחה' }],
      ['/api4/invoice/tasks', { title: 'לחזור' }],
    ] as const) {
      const refused = await writes(url, { ...about, leadId: theirs.id })
      expect([refused.statusCode, refused.json<{ errors: unknown[] }>().errors]).toMatchObject([
        422,
        [{ path: 'leadId', code: 'fields.ref' }],
      ])
      const his = await lead({ name: 'של רועי', phone: '053-3330003', ownerId: writer.id })
      expect((await writes(url, { ...about, leadId: his.id })).statusCode).toBeLessThan(300)
    }
    expect((await cardOf(theirs.id)).firstAnswerAt).toBeNull()
    const own = await mate([205, 208], { own: true, name: 'הדר' })
    expect(await seen(own.token)).toEqual([])
    expect(
      (await callAs(world, calls.leadTwins, { phone: '053-3330002' }, { token: own.token })).rows,
    ).toEqual([])
  })
})

test('whoever has a lead that waits too long is told once for each stage', async () => {
  const { rows: owners } = await sql<{
    id: string
  }>`select id from users where email = ${firm.email}`.execute(world.app.db.kysely)
  const me = owners[0]!.id
  const { id } = await lead({ name: 'ישן', phone: '053-4440001', ownerId: me })
  await sql`update leads set stage_at = now() - interval '10 days', created_at = now() - interval '10 days'
    where id = ${id}`.execute(world.app.db.kysely)
  expect((await cardOf(id)).isStale).toBe(true)
  await tellStale(world.app)
  await tellStale(world.app)
  const told = (await firm.call(listNotifications, {})).rows.filter(
    (one) => one.kind === 'lead.stale' && one.entityId === id,
  )
  expect(told).toHaveLength(1)
})

test('leads have a tree of categories of their own, in which a category stands for all that is below it', async () => {
  const shop = await newBusiness(world)
  const make = (name: string, parentId?: string, register = 'leadCategories') =>
    shop.send('POST', `/api4/invoice/${register}`, { name, parentId })
  const north = await make('צפון')
  const haifa = await make('חיפה', north.id)
  const items = await make('צפון', undefined, 'categories')
  const dana = await lead({ name: 'דנה', categoryId: haifa.id }, shop)
  await lead({ name: 'גיל', categoryId: north.id }, shop)
  await lead({ name: 'טל' }, shop)
  const named = async (query: string) =>
    (await shop.get(`/api4/invoice/leads?sort=name&${query}`)).rows.map(({ name }: { name: string }) => name)
  expect(await named(`categoryId=${north.id}`)).toEqual(['גיל', 'דנה'])
  expect(await named(`categoryId=${haifa.id}`)).toEqual(['דנה'])
  expect((await shop.get(`/api4/invoice/leads/${dana.id}`)).categoryIdName).toBe('צפון › חיפה')
  const { rows } = await shop.get('/api4/invoice/leadCategories')
  expect(rows.map((row: { path: string; leads: number }) => [row.path, row.leads])).toEqual([
    ['צפון', 2],
    ['צפון › חיפה', 1],
  ])
  // The tree of items is another, whatever its names.
  expect((await shop.get('/api4/invoice/categories')).rows.map(({ id }: { id: string }) => id)).toEqual([
    items.id,
  ])
  await expect(lead({ name: 'רן', categoryId: items.id }, shop)).rejects.toMatchObject({
    errors: [{ path: 'categoryId', code: 'fields.ref' }],
  })
  await expect(make('עכו', items.id)).rejects.toMatchObject({
    errors: [{ path: 'parentId', code: 'fields.ref' }],
  })
  await expect(make('חיפה', north.id)).rejects.toMatchObject({
    errors: [{ path: 'name', code: 'fields.taken' }],
  })
  await expect(
    shop.send('PATCH', `/api4/invoice/leadCategories/${north.id}`, { parentId: haifa.id }),
  ).rejects.toMatchObject({
    status: 422,
  })
  const today = dayInJerusalem(new Date((await shop.get(`/api4/invoice/leads/${dana.id}`)).createdAt))
  const told = await shop.get(`/api4/invoice/reports/leads?from=${today}&to=${today}&show=category`)
  expect(told.rows.map((row: { name: string; leads: number }) => [row.name, row.leads]).toSorted()).toEqual([
    ['', 1],
    ['צפון › חיפה', 1],
    ['צפון', 1],
  ])
})

test('each morning of a working day whoever has leads that wait gets one letter about all of them, until he wants none', async () => {
  const shop = await newBusiness(world)
  const own = (await shop.get('/api/user/session')).companyId as string
  const seller = await mate([205, 208], { name: 'גיל', at: own })
  const old = [
    await lead({ name: 'נשכח', company: 'אלון בע״מ', ownerId: seller.id }, shop),
    await lead({ name: 'של אף אחד' }, shop),
    await lead({ name: 'טרי', ownerId: seller.id }, shop),
  ]
  await asSystem(world.app.db, (tx) =>
    sql`update leads set stage_at = now() - interval '60 days', version = version - 1
      where company_id = ${own} and id = any (${old.slice(0, 2).map(({ id }) => id)}::uuid[])`.execute(tx),
  )
  const letters = async () => {
    const folder = join(dataDir, 'mail')
    const there = () => (existsSync(folder) ? readdirSync(folder) : [])
    const before = new Set(there())
    await tellMorning(world.app)
    await tellMorning(world.app)
    await world.worker.drain()
    return there()
      .filter((file) => !before.has(file))
      .toSorted()
      .map((file) => mailText(readFileSync(join(folder, file), 'utf8')))
      .filter((text) => /נשכח|של אף אחד/.test(text))
  }
  const before = clock
  try {
    // A Tuesday, before people are at work; then when they are.
    clock = new Date('2031-05-20T03:00:00Z')
    expect(await letters()).toEqual([])
    clock = new Date('2031-05-20T06:00:00Z')
    const [first, second] = (await letters()).toSorted(
      (a, b) => Number(b.includes('נשכח')) - Number(a.includes('נשכח')),
    )
    // People are notified of their own leads, the owner also of unassigned ones; nobody waits for a new one yet.
    expect(first).toMatch(/ליד אחד ממתין לכם[^]*נשכח · אלון בע״מ/)
    expect(first).not.toMatch(/של אף אחד|טרי/)
    expect(second).toMatch(/של אף אחד · [^]*מאז/)
    const { rows } = await shop.call(listNotifications, {})
    expect(rows.filter(({ kind }) => kind === 'lead.morning')).toMatchObject([{ params: { count: 1 } }])
    // The next day again; a Saturday not. The person who chose the bell alone gets no letter, the person who chose nothing
    // of it nothing.
    await shop.call(setBell, { kind: 'lead.morning', way: 'none' })
    clock = new Date('2031-05-21T06:00:00Z')
    const [only, none] = await letters()
    expect(none).toBeUndefined()
    expect(only).toContain('נשכח')
    clock = new Date('2031-05-24T06:00:00Z')
    expect(await letters()).toEqual([])
    expect(
      (await shop.call(bellSettings, {})).rows.find(({ kind }) => kind === 'lead.morning'),
    ).toMatchObject({ way: 'none' })
    await asSystem(world.app.db, (tx) =>
      sql`update leads set stage_at = now(), version = version - 1 where company_id = ${own}`.execute(tx),
    )
    clock = new Date('2031-05-25T06:00:00Z')
    expect(await letters()).toEqual([])
  } finally {
    clock = before
  }
})

test('a sales week: 300 leads from four sources, moved by three people at once, and the report is what an independent count says', async () => {
  const shop = await newBusiness(world)
  const own = (await shop.get('/api/user/session')).companyId as string
  const at = (await shop.call(calls.listStages, {})).rows
  const channels = ['api', 'api', 'api', 'api']
  const sources = await Promise.all(
    channels.map((channel, n) => source(`מקור ${n}`, channel, { costMonthAgorot: 30_000 * n }, shop)),
  )
  const keys = await Promise.all(sources.map(async ({ id }) => (await doorOf(id, shop)).key))
  // A reproducible week: the source, number and outcome of leads.
  let seed = 7
  const dice = (sides: number) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % sides
  const tally = sources.map(() => ({ leads: 0, won: 0, lost: 0, wonAgorot: 0 }))
  const ids: { id: string; from: number }[] = []
  const came = Array.from({ length: 300 }, (_, n) => ({ n, from: dice(4), twin: n > 20 && dice(10) === 0 }))
  const phone = (n: number) => `052-8${String(n).padStart(6, '0')}`
  for (let begin = 0; begin < came.length; begin += 30)
    for (const answer of await Promise.all(
      came.slice(begin, begin + 30).map(async ({ n, from, twin }) => ({
        from,
        // A twin comes again with the phone of somebody who came an hour before.
        ...(await callAs(world, calls.bringLead, {
          key: keys[from]!,
          name: `פונה ${n}`,
          phone: phone(twin ? (Math.floor(n / 30) - 1) * 30 + 1 : n),
        })),
      })),
    ))
      if (answer.isNew) {
        tally[answer.from]!.leads++
        ids.push({ id: answer.leadId!, from: answer.from })
      }
  const lost = at.find(({ outcome }) => outcome === 'lost')!
  const plans = ids.map((one) => ({ ...one, fate: dice(5), sum: 100 * (1 + dice(900)) }))
  // Three people work through the same list at once; the person who comes second to a lead is refused and looks
  // again.
  const work = async (mine: typeof plans) => {
    for (const { id, from, fate, sum } of mine) {
      for (const stage of [1, 2])
        for (let tries = 0; tries < 5; tries++) {
          const { version } = await cardOf(id, shop)
          const done = await shop.call(calls.moveLead, { id, version, stageId: at[stage]!.id }).then(
            () => true,
            () => false,
          )
          if (done) break
        }
      const { version } = await cardOf(id, shop)
      if (fate === 0) {
        await shop.call(calls.winLead, { id, version, sumAgorot: sum })
        tally[from]!.won++
        tally[from]!.wonAgorot += sum
      } else if (fate === 1) {
        await shop.call(calls.moveLead, { id, version, stageId: lost.id, reason: 'מחיר' })
        tally[from]!.lost++
      }
    }
  }
  const third = Math.ceil(plans.length / 3)
  await Promise.all([0, 1, 2].map((n) => work(plans.slice(n * third, (n + 1) * third))))
  const today = dayInJerusalem(new Date())
  const { rows, totals, checks } = await shop.get(
    `/api4/invoice/reports/leads?from=${today.slice(0, 8)}01&to=${today}`,
  )
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect(
    rows
      .map((row: Record<string, unknown>) => ({
        name: row.name,
        leads: row.leads,
        won: row.won,
        lost: row.lost,
        wonAgorot: row.wonAgorot,
      }))
      .sort(byName),
  ).toEqual(tally.map((one, n) => ({ name: `מקור ${n}`, ...one })).filter(({ leads }) => leads > 0))
  expect(totals.leads).toBe(ids.length)
  expect(totals.open).toBe(ids.length - tally.reduce((sum, { won, lost: gone }) => sum + won + gone, 0))
  expect(checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
  // Counted by stages from nothing but the moves.
  const byStage = await shop.get(
    `/api4/invoice/reports/leads?from=${today.slice(0, 8)}01&to=${today}&show=stage`,
  )
  const stays = byStage.rows
  const { rows: moves } = await sql<{
    source: string
    stage: string
    n: number
  }>`select s.name as source, g.name as stage, count(distinct m.lead_id)::int as n from lead_moves m
    join leads l on l.company_id = m.company_id and l.id = m.lead_id
    join lead_sources s on s.id = l.source_id join lead_stages g on g.id = m.stage_id
    where m.company_id = ${own} group by 1, 2`.execute(world.app.db.kysely)
  const table = (of: { source: string; stage: string; n: number }[]) =>
    of.map(({ source: from, stage, n }) => `${from} ${stage} ${n}`).sort()
  expect(
    table(stays.map((row: Record<string, never>) => ({ source: row.name, stage: row.stage, n: row.passed }))),
  ).toEqual(table(moves))
  // Each lead is in one stage.
  expect(byStage.totals).toEqual({ ...totals, wonAgorot: 0, costAgorot: 0 })
  expect(byStage.checks).toEqual([{ name: 'parts', ok: true }])
  // Nobody came from a source that was paid for.
  await source('שקט', 'api', { costMonthAgorot: 9_000_000 }, shop)
  const paid = await shop.get(`/api4/invoice/reports/leads?from=${today.slice(0, 8)}01&to=${today}`)
  const quiet = paid.rows.find(({ name }: { name: string }) => name === 'שקט')
  expect(quiet).toMatchObject({ leads: 0, won: 0, costPerWonAgorot: null })
  expect(quiet.costAgorot).toBeGreaterThan(0)
  expect(paid.totals).toEqual({ ...totals, costAgorot: totals.costAgorot + quiet.costAgorot })
  // One of them becomes an order and an invoice, with nothing typed twice.
  const won = plans.find(({ fate }) => fate === 2)!
  const { version } = await cardOf(won.id, shop)
  const { quoteId } = await shop.call(calls.winLead, {
    id: won.id,
    version,
    lines: [{ description: 'התקנה', unitPrice: '500' }],
  })
  await shop.send('POST', `/api4/invoice/documents/${quoteId}/issue`)
  const order = await shop.send('POST', `/api4/invoice/documents/${quoteId}/convert`, { type: 2 })
  await shop.send('POST', `/api4/invoice/documents/${order.id}/issue`)
  const invoice = await shop.send('POST', `/api4/invoice/documents/${order.id}/convert`, { type: 8 })
  expect(await shop.send('POST', `/api4/invoice/documents/${invoice.id}/issue`)).toMatchObject({
    type: 8,
    status: 'issued',
  })
  expect((await shop.get('/api4/invoice/documents?type=8')).rows).toMatchObject([{ totalAgorot: 59_000 }])
}, 120_000)

test('a proof is as much work as it says', () => {
  const challenge = 'x.8.y.z'
  const proof = prove(challenge, 8)
  expect(createHash('sha256').update(`${challenge}:${proof}`).digest()[0]).toBe(0)
  expect(isProof(challenge, 'abc', 1)).toBe(false)
})

describe('what is refused', () => {
  test('a stage that leads are in, and a lead that could end in no stage', async () => {
    const shop = await newBusiness(world)
    const { rows } = await shop.call(calls.listStages, {})
    const { id } = await lead({ name: 'דני' }, shop)
    const card = await cardOf(id, shop)
    await expect(shop.send('DELETE', `/api4/invoice/leadStages/${card.stageId}`)).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'name', code: 'leads.stageInUse' }],
    })
    for (const won of rows.filter(({ outcome }) => outcome === 'won'))
      await shop.send('DELETE', `/api4/invoice/leadStages/${won.id}`)
    await expect(shop.call(calls.winLead, { id, version: card.version })).rejects.toMatchObject({
      status: 422,
      code: 'leads.needsStages',
    })
  })

  test('a doubtful lead is decided once', async () => {
    const { id: of } = await source('טופס שני', 'form')
    const { key } = await doorOf(of)
    await callAs(world, calls.sendForm, { key: key!, name: 'ספק', phone: '052-6670003' } as never)
    const { id } = (await firm.call(calls.listIntakes, {})).rows.find(({ name }) => name === 'ספק')!
    const decide = (take: boolean) => firm.call(calls.decideIntake, { id, take })
    await decide(false)
    await expect(decide(false)).rejects.toMatchObject({ status: 409, code: 'leads.decided' })
    // What was dropped may still be taken.
    await decide(true)
    await expect(decide(true)).rejects.toMatchObject({ status: 409, code: 'leads.decided' })
  })

  test('leads that nobody is there to take', async () => {
    const shop = await newBusiness(world)
    await lead({ name: 'יתום' }, shop)
    const userId = (await shop.get('/api4/invoice/workers?size=10')).rows[0].id as string
    await shop.call(calls.setAbsence, { userId, until: '2099-01-01' })
    await expect(
      shop.call(calls.transferLeads, { from: 'anybody', how: 'load', people: [userId] }),
    ).rejects.toMatchObject({ status: 409, code: 'leads.nobodyThere' })
    await shop.call(calls.setAbsence, { userId, until: null })
    await shop.call(calls.transferLeads, { from: 'anybody', how: 'load', people: [userId] })
  })
})
