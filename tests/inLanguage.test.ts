import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeCompany, getCompany, setCompanyLanguage } from '#features/base/companies/endpoints.ts'
import { createDocument, getDocument, sendDocument } from '#features/sales/documents/endpoints.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { mailText } from './letters.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** What the business is called in a language of its documents is on everything a customer gets of them. */

let world: World
let me: Business
let abroad: string
const folder = mkdtempSync(path.join(tmpdir(), 'in-language-'))

const english = {
  language: 'en' as const,
  name: 'Alon Carpentry Ltd',
  street: '7 Harbor Road',
  city: 'Haifa',
  bankDetails: 'Bank Leumi, Haifa branch 800',
}
const iban = 'IL620108000000099999999'

beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world, { name: 'נגריית אלון' })
  await me.call(changeCompany, { street: 'הנמל 7', city: 'חיפה', bankDetails: 'לאומי, סניף 800' })
  await me.call(setCompanyLanguage, { ...english, iban: 'il62 0108 0000 0009 9999 999', swift: 'lumiilit' })
  abroad = (await me.customer('Nordlicht GmbH', { language: 'en', email: 'pay@example.com' })).id
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
const invoice = (more: object = {}) =>
  me.call(createDocument, {
    type: 8,
    customerId: abroad,
    lines: [{ description: 'Oak table', quantity: '1', unitPrice: '100' }],
    ...more,
  })
const lastMail = () => {
  const there = path.join(world.app.settings.dataDir, 'mail')
  return readFileSync(path.join(there, readdirSync(there).toSorted().at(-1)!), 'utf8')
}

describe('a document in another language', () => {
  test('shows the business in it on the PDF, the slip, the page, the electronic invoice and in the API', async () => {
    const made = await invoice()
    for (const variant of ['original', 'thermal']) {
      const paper = await paperOf(made.id, variant)
      for (const piece of [
        english.name,
        'Harbor Road',
        'Haifa',
        english.bankDetails,
        'LUMIILIT',
        'IL62 0108 0000 0009 9999 999',
      ])
        expect(paper, `${piece} on ${variant}`).toContain(piece)
      // The seal names the holder of its certificate, as the certificate does.
      expect(paper.replace(/^.*נגריית אלון, \d\d\/.*$/m, '')).not.toContain('נגריית')
    }
    const key = made.urls.page.split('/').at(-1)!
    const page = await world.http.inject({ url: `/api2/invoice/page/${key}` })
    expect(page.json<{ business: unknown }>().business).toMatchObject({
      name: english.name,
      bankDetails: `${english.bankDetails}\nSWIFT LUMIILIT\nIBAN IL62 0108 0000 0009 9999 999`,
    })
    expect(made.business).toEqual({
      name: english.name,
      street: english.street,
      city: english.city,
      bankDetails: english.bankDetails,
      iban,
      swift: 'LUMIILIT',
    })
    await me.send('PATCH', `/api4/invoice/customers/${abroad}`, { country: 'Germany' })
    const xml = String(await me.get<Buffer>(`/api4/invoice/documents/${made.id}/einvoice?format=ubl`))
    for (const piece of [english.name, english.street, english.city, iban]) expect(xml).toContain(piece)
  })

  test('is mailed under that name', async () => {
    const made = await invoice()
    await me.call(sendDocument, { id: made.id, to: 'pay@example.com', attach: false })
    await world.worker.drain()
    const eml = lastMail()
    expect(eml).toContain(english.name)
    expect(mailText(eml)).toContain(english.name)
    expect(mailText(eml)).not.toContain('נגריית')
  })

  test('keeps what it was issued with when the details change', async () => {
    const made = await invoice()
    const before = await me.get<Buffer>(`/api4/invoice/documents/${made.id}/pdf?variant=original`)
    await me.call(setCompanyLanguage, { ...english, name: 'Another Name Ltd' })
    expect((await me.call(getDocument, { id: made.id })).business.name).toBe(english.name)
    const after = await me.get<Buffer>(`/api4/invoice/documents/${made.id}/pdf?variant=original`)
    expect(Buffer.compare(before, after)).toBe(0)
    expect((await invoice()).business.name).toBe('Another Name Ltd')
    await me.call(setCompanyLanguage, english)
  })

  test('shows what was left empty, and what nobody was asked about, as it is', async () => {
    await me.call(setCompanyLanguage, { language: 'fr' })
    const [french, russian] = [await invoice({ language: 'fr' }), await invoice({ language: 'ru' })]
    for (const made of [french, russian]) expect(made.business.name).toBe('נגריית אלון')
    expect((await me.call(getCompany, {})).languages.map((one) => one.language)).toEqual(['en', 'fr'])
  })
})

describe('the account for money from abroad', () => {
  test('is printed on a Hebrew document in a foreign currency, and on none in shekels', async () => {
    const [euro, shekel] = [
      await invoice({ language: 'he', currency: 'EUR', rate: '3.95' }),
      await invoice({ language: 'he' }),
    ]
    expect(await paperOf(euro.id)).toContain('LUMIILIT')
    expect(await paperOf(euro.id)).toContain('IL62 0108')
    expect(await paperOf(shekel.id)).not.toContain('LUMIILIT')
    expect(await paperOf(shekel.id)).not.toContain('IL62 0108')
  })

  test.each([
    ['iban', { iban: 'IL620108000000099999998' }, 'fields.iban'],
    ['iban', { iban: 'DE9837040044053201300000' }, 'fields.iban'],
    ['swift', { swift: 'LUMI' }, 'companies.swift'],
    ['swift', { swift: 'LUMIZZIT' }, 'companies.swift'],
  ])('is refused at its field: %s', async (field, account, code) => {
    for (const change of [
      () => me.call(changeCompany, account),
      () => me.call(setCompanyLanguage, { ...english, ...account }),
    ])
      await expect(change()).rejects.toMatchObject({ errors: [{ path: field, code }] })
    expect(await me.call(getCompany, {})).toMatchObject({ iban, swift: 'LUMIILIT' })
  })
})

test('a business has no other name in its own language, and what cannot be printed is refused', async () => {
  await expect(me.call(setCompanyLanguage, { ...english, language: 'he' })).rejects.toMatchObject({
    errors: [{ path: 'language', code: 'fields.choice' }],
  })
  await expect(me.call(setCompanyLanguage, { ...english, name: '木工' })).rejects.toMatchObject({
    errors: [{ path: 'name', code: 'paper.unprintable' }],
  })
})
