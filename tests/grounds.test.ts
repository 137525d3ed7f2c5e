import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exemptGrounds, zeroGrounds } from '#domain/vat/grounds.ts'
import {
  changeDocument,
  convertDocument,
  createDocument,
  creditDocument,
  getDocument,
  issueDocument,
} from '#features/sales/documents/endpoints.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { say } from '#kit/server/words.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** A document without VAT names its ground in the law, in its language, on everything that shows it. */

let world: World
let me: Business
let abroad: string
let home: string
const folder = mkdtempSync(path.join(tmpdir(), 'grounds-'))

beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
  abroad = (
    await me.customer('Nordlicht GmbH', {
      isAbroad: true,
      country: 'Germany',
      language: 'en',
      currency: 'EUR',
      zeroRate: true,
      zeroGround: 'servicesToNonResident',
    })
  ).id
  home = (await me.customer('יוסי כהן')).id
})
afterAll(async () => {
  await closePaper()
  await world.close()
  rmSync(folder, { recursive: true })
})

const plain = (text: string) => text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
async function paperOf(id: string, variant = 'original'): Promise<string> {
  const file = path.join(folder, 'read.pdf')
  writeFileSync(file, await me.get<Buffer>(`/api4/invoice/documents/${id}/pdf?variant=${variant}`))
  return plain(spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout)
}
const line = (vatKind: 1 | 4 = 1) => ({
  description: 'Work',
  quantity: '1',
  unitPrice: '100',
  vatKind,
})
const make = (more: object = {}) =>
  me.call(createDocument, {
    type: 8,
    customerId: abroad,
    currency: 'EUR',
    rate: '4',
    lines: [line()],
    ...more,
  })
const english = 'Zero rate – section 30(a)(5) of the VAT Law'

describe('the ground of zero rate', () => {
  test('is the customer’s, and is printed on the original, the slip and the electronic invoice', async () => {
    const made = await make()
    expect(made).toMatchObject({ language: 'en', zeroGround: 'servicesToNonResident', exemptGround: null })
    for (const variant of ['original', 'thermal']) expect(await paperOf(made.id, variant)).toContain(english)
    const xml = String(await me.get<Buffer>(`/api4/invoice/documents/${made.id}/einvoice?format=ubl`))
    expect(xml).toContain(english)
  })

  test('is changed on one document, in its language', async () => {
    const made = await make({ zeroGround: 'exportOfGoods', language: 'he' })
    // The reader mixes figures and brackets of a Hebrew line.
    expect(await paperOf(made.id)).toMatch(/מע״מ בשיעור אפס – סעיף .*30.*א.*1.*לחוק מע״מ/)
    expect((await make({ zeroGround: null })).zeroGround).toBeNull()
  })

  test('goes along to the credit and to what is made from a document, and through a draft', async () => {
    const draft = await make({ draft: true, zeroGround: 'tourism' })
    expect((await me.call(issueDocument, { id: draft.id })).zeroGround).toBe('tourism')
    await me.send('PATCH', `/api4/invoice/customers/${abroad}`, { zeroGround: 'servicesAbroad' })
    const credit = await me.call(creditDocument, { id: draft.id, reason: 'returned' })
    expect(credit.zeroGround).toBe('tourism')
    const order = await make({ type: 2, zeroGround: 'exportOfGoods' })
    const next = await me.call(convertDocument, { id: order.id, type: 8 })
    expect(next.zeroGround).toBe('exportOfGoods')
    await me.send('PATCH', `/api4/invoice/customers/${abroad}`, { zeroGround: 'servicesToNonResident' })
  })

  test('is refused of a document that is not at zero rate, and when it is none', async () => {
    const ask = { customerId: home, currency: 'ILS', rate: undefined, zeroGround: 'exportOfGoods' }
    await expect(make(ask)).rejects.toMatchObject({
      errors: [{ path: 'zeroGround', code: 'documents.groundNotZero' }],
    })
    const draft = await make({ ...ask, zeroGround: undefined, draft: true })
    await expect(
      me.call(changeDocument, {
        id: draft.id,
        type: 8,
        customerId: home,
        lines: [line()],
        zeroGround: 'eilat',
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'zeroGround', code: 'documents.groundNotZero' }] })
    for (const zeroGround of ['because', 'dwellingLet'])
      await expect(make({ zeroGround })).rejects.toMatchObject({
        errors: [{ path: 'zeroGround', code: 'fields.choice' }],
      })
    // Programs that know of no grounds go on as before.
    const bare = await me.customer('Bare Ltd', { zeroRate: true })
    expect((await make({ customerId: bare.id })).zeroGround).toBeNull()
  })
})

describe('the ground of an exemption', () => {
  test('is printed on a document with exempt lines, beside that of zero rate', async () => {
    const made = await make({
      customerId: home,
      currency: 'ILS',
      rate: undefined,
      language: 'en',
      lines: [line(1), line(4)],
      exemptGround: 'dwellingLet',
    })
    expect(await paperOf(made.id)).toContain('VAT exempt – section 31(1) of the VAT Law')
    const taxed = await make({
      customerId: home,
      currency: 'ILS',
      rate: undefined,
      language: 'en',
      exemptGround: 'dwellingLet',
    })
    expect(await paperOf(taxed.id)).not.toContain('section 31')
  })

  test('is the customer’s where something is exempt, another one or none where that was chosen', async () => {
    const { id: tenant } = await me.customer('Tenant', { exemptGround: 'dwellingLet' })
    const rent = (more: object = {}) =>
      make({
        customerId: tenant,
        currency: 'ILS',
        rate: undefined,
        language: 'en',
        lines: [line(4)],
        ...more,
      })
    const made = await rent()
    expect(made.exemptGround).toBe('dwellingLet')
    expect(await paperOf(made.id)).toContain('VAT exempt – section 31(1) of the VAT Law')
    expect((await rent({ exemptGround: 'otherExempt' })).exemptGround).toBe('otherExempt')
    expect((await rent({ exemptGround: null })).exemptGround).toBeNull()
    expect((await rent({ lines: [line(1)] })).exemptGround).toBeNull()
    const credit = await me.call(creditDocument, { id: made.id, reason: 'returned' })
    expect(credit.exemptGround).toBe('dwellingLet')
    const draft = await rent({ draft: true })
    expect((await me.call(issueDocument, { id: draft.id })).exemptGround).toBe('dwellingLet')
  })
})

describe('sums in shekels', () => {
  test('are left out where the customer wants none and the document carries no VAT', async () => {
    expect(await paperOf((await make()).id)).toContain('400.00')
    const hidden = await make({ hidesIls: true })
    expect(await paperOf(hidden.id)).not.toContain('400.00')
    expect((await me.call(getDocument, { id: hidden.id })).hidesIls).toBe(true)
    const taxed = await make({ customerId: home, language: 'en', hidesIls: true })
    expect(await paperOf(taxed.id)).toContain('472.00')
  })
})

test('every ground has words in every language', () => {
  for (const language of ['he', 'en', 'ar', 'ru', 'fr'] as const)
    for (const ground of [...zeroGrounds, ...exemptGrounds])
      expect(say(language, `paper.ground.${ground}`), `${language} ${ground}`).not.toContain('paper.')
})
