import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import PostalMime from 'postal-mime'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { dataDir, newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { sendMany } from '#features/sales/documentJobs/endpoints.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { say } from '#kit/server/words.ts'
import { changeCompany, setLogo } from '#features/base/companies/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
})

const drain = async () => {
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name <> 'documents.mail'`.execute(tx))
  await world.worker.drain()
}
/** The newest letter to an address, among those that other files of tests keep in the same folder. */
async function lastMail(to: string) {
  const folder = join(dataDir, 'mail')
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const file of files) {
    const mail = await PostalMime.parse(readFileSync(file))
    if (mail.to?.[0]?.address === to) return mail
  }
  throw new Error(`no mail to ${to}`)
}

test('the customer is asked once whether he takes computerised documents, and what he said is kept', async () => {
  const { id } = await shop.customer('כהן', { email: 'c@example.com', mobile: '052-7654321' })
  const invoice = await shop.invoice(id, '100')
  const state = async () => (await shop.call(calls.sendingOfDocument, { id: invoice.id })).consent.state
  expect(await state()).toBe('missing')
  // Nothing is held up: it goes, and the question stays open.
  await shop.call(calls.sendDocument, { id: invoice.id, to: 'c@example.com', consent: 'notNow' })
  expect(await state()).toBe('asked')
  await shop.call(calls.whatsAppDocument, {
    id: invoice.id,
    to: '052-7654321',
    consent: { how: 'phone', by: 'רות' },
  })
  expect(await state()).toBe('given')
  const customer = await shop.get(`/api4/invoice/customers/${id}`)
  expect(customer).toMatchObject({ consentHow: 'phone', consentBy: 'רות', consentAt: expect.any(String) })
  // Once given it is not written over.
  await shop.call(calls.sendDocument, {
    id: invoice.id,
    to: 'c@example.com',
    consent: { how: 'paper', by: 'x' },
  })
  expect((await shop.get(`/api4/invoice/customers/${id}`)).consentHow).toBe('phone')
  // Of its papers a business hears beforehand what the rules ask once, and of a receipt for cash each time;
  // nothing is refused.
  const notices = async (of: { id: string }) =>
    (await shop.call(calls.sendingOfDocument, { id: of.id })).notices
  expect(await notices(invoice)).toEqual([])
  const other = await newBusiness(world)
  const { id: guest } = await other.customer('אורח', { email: 'g@example.com' })
  const receipt = (means: number) =>
    other.call(calls.createDocument, {
      type: 6,
      customerId: guest,
      payments: [{ means, amountAgorot: 10_000 }],
    })
  const [cash, transfer] = [await receipt(1), await receipt(3)]
  const noticesOf = async (id: string) => (await other.call(calls.sendingOfDocument, { id })).notices
  expect([await noticesOf(cash.id), await noticesOf(transfer.id)]).toEqual([
    ['first', 'certified'],
    ['first'],
  ])
  await other.call(calls.sendDocument, { id: cash.id, to: 'g@example.com', consent: 'notNow' })
  expect([await noticesOf(cash.id), await noticesOf(transfer.id)]).toEqual([['certified'], []])
  // A quote is a letter like any other.
  const quote = await shop.call(calls.createDocument, {
    type: 1,
    customerId: id,
    lines: [{ description: 'x', unitPrice: '1' }],
  })
  expect((await shop.call(calls.sendingOfDocument, { id: quote.id })).consent.state).toBe('notNeeded')
})

test('the way that was used last is remembered for the customer, and it is told what can leave', async () => {
  const { id } = await shop.customer('דנה', { email: 'd@example.com', mobile: '052-7654321' })
  const first = await shop.invoice(id, '100')
  const sending = (of: { id: string }) => shop.call(calls.sendingOfDocument, { id: of.id })
  // No mail server is set in tests: what is sent is kept, and the dialog says so beforehand.
  expect(await sending(first)).toMatchObject({ lastChannel: null, mailIsSet: false, smsIsSet: false })
  await shop.call(calls.whatsAppDocument, { id: first.id, to: '052-7654321' })
  const second = await shop.invoice(id, '200')
  expect((await sending(second)).lastChannel).toBe('whatsapp')
  const { messageId, messageIds } = await shop.call(calls.sendDocument, {
    id: second.id,
    to: 'd@example.com',
    also: ['e@example.com'],
  })
  expect(messageIds).toHaveLength(2)
  expect(messageIds[0]).toBe(messageId)
  expect((await sending(first)).lastChannel).toBe('mail')
  await drain()
  const { messages } = await shop.call(calls.historyOfDocument, { id: second.id })
  expect(messages.filter((one) => messageIds.includes(one.id)).map(({ state }) => state)).toEqual([
    'kept',
    'kept',
  ])
  // What other customers were sent says nothing about this one.
  const { id: other } = await shop.customer('אחר')
  expect((await sending(await shop.invoice(other, '1'))).lastChannel).toBeNull()
})

test('WhatsApp opens with the text ready in the customer’s language, and stands among what was sent', async () => {
  const { id } = await shop.customer('Eva', { mobile: '052-7654321', language: 'en' })
  const invoice = await shop.invoice(id, '100')
  const { url } = await shop.call(calls.whatsAppDocument, { id: invoice.id, to: '052-7654321' })
  const text = new URL(url).searchParams.get('text')!
  expect(url).toContain('https://wa.me/972527654321?')
  expect(text).toContain('Tax invoice')
  expect(text).toContain(invoice.urls.page)
  const { messages } = await shop.call(calls.historyOfDocument, { id: invoice.id })
  expect(messages).toMatchObject([{ channel: 'whatsapp', state: 'sent', openedAt: null }])
  await world.http.inject({ method: 'GET', url: `/api2/invoice/page/${invoice.urls.page.split('/').at(-1)}` })
  expect((await shop.call(calls.historyOfDocument, { id: invoice.id })).messages[0]!.openedAt).not.toBeNull()
  expect((await shop.call(calls.getDocument, { id: invoice.id })).sentAt).not.toBeNull()
})

test('files of a draft go along with the mail and stand on the page when they are marked so, and only then', async () => {
  const { id } = await shop.customer('כהן', { email: 'plan@example.com' })
  const draft = await shop.call(calls.createDocument, {
    type: 8,
    customerId: id,
    lines: [{ description: 'x', unitPrice: '1' }],
    draft: true,
  })
  const bring = (name: string) =>
    shop.call(uploadFile, {
      name,
      entity: 'documents',
      entityId: draft.id,
      bytes: Buffer.from(`some words of ${name}`),
    })
  const [plan, secret] = [await bring('plan.txt'), await bring('secret.txt')]
  await shop.call(calls.markFile, { id: draft.id, fileId: plan.id, shown: true, mailed: true })
  const invoice = await shop.call(calls.issueDocument, { id: draft.id })
  await shop.call(calls.sendDocument, { id: invoice.id, to: 'plan@example.com' })
  await drain()
  const names = async () => (await lastMail('plan@example.com')).attachments.map(({ filename }) => filename)
  expect(await names()).toEqual([expect.stringMatching(/\.pdf$/), 'plan.txt'])
  expect((await shop.get('/api4/invoice/messages')).rows[0].attachments).toBe('plan.txt')
  const key = invoice.urls.page.split('/').at(-1)!
  const page = (path: string) => world.http.inject({ method: 'GET', url: `/api2/invoice/page/${key}${path}` })
  expect((await page('')).json().files.map((one: { name: string }) => one.name)).toEqual(['plan.txt'])
  expect((await page(`/files/${plan.id}`)).body).toBe('some words of plan.txt')
  expect((await page(`/files/${secret.id}`)).statusCode).toBe(404)
  // Chosen at sending, whatever is marked.
  await shop.call(calls.sendDocument, {
    id: invoice.id,
    to: 'plan@example.com',
    attach: false,
    files: [secret.id],
  })
  await drain()
  expect(await names()).toEqual(['secret.txt'])
  // A letter that promises a file does not leave without it.
  await shop.call(calls.sendDocument, { id: invoice.id, to: 'plan@example.com', files: [secret.id] })
  await shop.send('DELETE', `/api4/invoice/files/${secret.id}/links/documents/${invoice.id}`)
  await shop.send('DELETE', `/api4/invoice/files/${secret.id}`)
  await drain()
  const last = (await shop.get('/api4/invoice/messages')).rows[0]
  expect(last).toMatchObject({ state: 'failed', attachments: 'secret.txt' })
  expect(last.error).toContain('נמחק')
  const other = await shop.invoice(id, '1')
  await expect(
    shop.call(calls.sendDocument, { id: other.id, to: 'plan@example.com', files: [plan.id] }),
  ).rejects.toMatchObject({
    errors: [{ path: 'files' }],
  })
  const stranger = await newBusiness(world)
  expect(
    (await raw(world, calls.filesOfDocument, { id: invoice.id }, { token: stranger.token })).statusCode,
  ).toBe(404)
})

test('more than a mail takes is refused at the files', async () => {
  const { id } = await shop.customer('כהן')
  const invoice = await shop.invoice(id, '100')
  const files: string[] = []
  const limit = 15 * 1024 * 1024
  for (const [n, size] of [7_000_000, limit - 7_000_000, 1].entries()) {
    const bytes = Buffer.alloc(size, `${n} `)
    files.push(
      (await shop.call(uploadFile, { name: `${n}.txt`, entity: 'documents', entityId: invoice.id, bytes }))
        .id,
    )
  }
  await expect(
    shop.call(calls.sendDocument, { id: invoice.id, to: 'c@example.com', files }),
  ).rejects.toMatchObject({
    errors: [{ path: 'files', code: 'documents.mailTooLarge' }],
  })
  // To the last byte of what it takes.
  await shop.call(calls.sendDocument, { id: invoice.id, to: 'c@example.com', files: files.slice(0, 2) })
})

test('the electronic invoice goes along to whoever wants it; where it cannot be made, the sender is told and the mail goes', async () => {
  const company = { street: 'הרצל 1', city: 'חיפה', zip: '3300000' }
  await shop.send('PATCH', '/api4/invoice/company', company)
  const { id } = await shop.customer('Customer Ltd', {
    email: 'xml@example.com',
    einvoiceXml: true,
    country: 'ישראל',
    city: 'חיפה',
    street: 'א 1',
  })
  const invoice = await shop.invoice(id, '100')
  expect((await shop.call(calls.sendingOfDocument, { id: invoice.id })).companions).toEqual([
    { word: 'einvoice.title', fault: false },
  ])
  await shop.call(calls.sendDocument, { id: invoice.id, to: 'xml@example.com' })
  await drain()
  const xml = (await lastMail('xml@example.com')).attachments.find(({ filename }) =>
    filename?.endsWith('-ubl.xml'),
  )!
  expect(Buffer.from(xml.content as ArrayBuffer).toString()).toContain(
    'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  )
  const plain = await shop.customer('בלי', { email: 'b@example.com' })
  expect(
    (await shop.call(calls.sendingOfDocument, { id: (await shop.invoice(plain.id, '1')).id })).companions,
  ).toEqual([])
})

/** A small black picture, as a PNG. */
function png(width: number, height: number): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    let crc = 0xffffffff
    for (const byte of body) crc = crcTable[(crc ^ byte) & 255]! ^ (crc >>> 8)
    const [length, end] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    end.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
    return Buffer.concat([length, body, end])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a signature is printed while it is on, and a paper that was made keeps it', async () => {
  const { id } = await shop.customer('כהן')
  const imagesIn = async (invoiceId: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'sign-')), 'a.pdf')
    writeFileSync(
      file,
      (await shop.call(calls.pdfOfDocument, { id: invoiceId, variant: 'original' })) as Uint8Array,
    )
    return execFileSync('pdfimages', ['-list', file], { encoding: 'utf8' }).trim().split('\n').length - 2
  }
  const first = await shop.invoice(id, '1')
  expect(await imagesIn(first.id)).toBe(0)
  await expect(shop.call(calls.setSignature, { isOn: true })).rejects.toMatchObject({
    code: 'documents.noSignature',
  })
  await expect(
    shop.call(calls.setSignature, { image: Buffer.from('nothing').toString('base64') }),
  ).rejects.toMatchObject({
    code: 'documents.badSignature',
  })
  expect(await shop.call(calls.setSignature, { image: png(300, 100).toString('base64') })).toMatchObject({
    has: true,
    isOn: true,
  })
  const second = await shop.invoice(id, '1')
  expect(await imagesIn(second.id)).toBe(1)
  await shop.call(calls.setSignature, { isOn: false })
  const third = await shop.invoice(id, '1')
  expect([await imagesIn(first.id), await imagesIn(second.id), await imagesIn(third.id)]).toEqual([0, 1, 0])
  expect((await shop.call(calls.dropSignature, {})).has).toBe(false)
})

test('whoever may not see figures gets no text that names them, and sends to the customer only', async () => {
  const { id } = await shop.customer('כהן', { email: 'c@example.com', phone: '052-7654321' })
  const invoice = await shop.invoice(id, '100')
  const { companyId } = await shop.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set hide_total_prices = true where company_id = ${companyId}`.execute(tx),
  )
  expect((await shop.call(calls.sendingOfDocument, { id: invoice.id })).texts).toEqual({
    subject: '',
    mail: '',
    sms: '',
    whatsApp: '',
  })
  const status = async (endpoint: any, to: string) =>
    (await raw(world, endpoint, { id: invoice.id, to }, { token: shop.token })).statusCode
  expect(await status(calls.smsDocument, '050-1111111')).toBe(422)
  expect(await status(calls.whatsAppDocument, '050-1111111')).toBe(422)
  expect(await status(calls.smsDocument, '052-7654321')).toBe(200)
})

test('all the people who get invoices get them, whether one document is sent or many', async () => {
  const { id } = await shop.customer('כהן', { email: 'office@example.com' })
  for (const [name, email] of [
    ['תמר', 'tamar@example.com'],
    ['אבי', 'avi@example.com'],
    ['אבי ב׳', 'avi@example.com'],
  ])
    await shop.send('POST', '/api4/invoice/customerContacts', {
      partyId: id,
      name,
      email,
      getsInvoices: true,
    })
  const invoice = await shop.invoice(id, '100')
  const { to } = await shop.call(calls.sendingOfDocument, { id: invoice.id })
  expect(to).toMatchObject({ mail: 'avi@example.com', also: ['tamar@example.com'] })
  const sent = async () =>
    ((await shop.get('/api4/invoice/messages')).rows as { recipient: string }[])
      .map(({ recipient }) => recipient)
      .toSorted()
  await shop.call(calls.sendDocument, { id: invoice.id, to: to.mail, also: [...to.also, to.mail] })
  expect(await sent()).toEqual(['avi@example.com', 'tamar@example.com'])
  await shop.call(sendMany, { ids: [invoice.id], attach: false })
  await world.worker.drain()
  expect(await sent()).toEqual([
    'avi@example.com',
    'avi@example.com',
    'tamar@example.com',
    'tamar@example.com',
  ])
  const { companyId } = await shop.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set hide_total_prices = true where company_id = ${companyId}`.execute(tx),
  )
  expect((await shop.call(calls.sendingOfDocument, { id: invoice.id })).to).toMatchObject({
    mail: 'office@example.com',
    also: [],
  })
  await expect(
    shop.call(calls.sendDocument, { id: invoice.id, to: 'office@example.com', also: ['me@example.com'] }),
  ).rejects.toMatchObject({ status: 422 })
})

test.each(['he', 'en', 'ar', 'ru', 'fr'] as const)(
  'the mail is HTML beside its text, in the look of the business, in %s',
  async (language) => {
    const to = `look-${language}@example.com`
    const name = 'מוסך "הציר" <ובניו> & Co'
    await shop.call(changeCompany, { name, accent: '#7a3b00', phone: '04-5550142' })
    await shop.call(setLogo, { image: png(40, 20).toString('base64') })
    const { id } = await shop.customer('Ελένη <b>', { email: to, language })
    const invoice = await shop.invoice(id, '4550')
    await shop.call(calls.sendDocument, { id: invoice.id, to })
    await drain()
    const mail = await lastMail(to)
    // The sender is the business, and what it attaches has a name that people know.
    expect(mail.from).toMatchObject({ name })
    const [paper, logo] = [/pdf$/, /png$/].map((kind) =>
      mail.attachments.find(({ mimeType }) => kind.test(mimeType)),
    )
    expect(paper!.filename).toMatch(new RegExp(` ${invoice.number} – מוסך -הציר- -ובניו- & Co\\.pdf$`))
    // The logo is shown in the mail and is no file beside it.
    expect(logo).toMatchObject({ disposition: 'inline', contentId: '<logo>' })
    expect(mail.html).toContain('src="cid:logo"')
    expect(mail.html).toContain('מוסך &quot;הציר&quot; &lt;ובניו&gt; &amp; Co')
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).toContain(`lang="${language}"`)
    expect(mail.html).toContain('#7a3b00')
    expect(mail.html).toContain('5,369.00')
    expect(mail.html).toContain(`href="${invoice.urls.page}"`)
    const word = say(language, 'documents.mail.viewAndPay')
    expect(mail.html).toContain(`>${word}</a>`)
    // The text part says all of it in plain words, without markup.
    expect(mail.text).toContain(invoice.urls.page)
    expect(mail.text).toContain('5,369.00')
    expect(mail.text).not.toMatch(/<(table|a|bdi|b) /)
  },
)

test('a receipt asks for no money in its mail, and a name of any length and signs is a name of a file', async () => {
  await shop.call(changeCompany, { name: `א/ב:${'ג'.repeat(100)}` })
  const { id } = await shop.customer('דנה', { email: 'r@example.com' })
  const receipt = await shop.call(calls.createDocument, {
    type: 6,
    customerId: id,
    payments: [{ means: 1, amountAgorot: 12_300 }],
  })
  await shop.call(calls.sendDocument, { id: receipt.id, to: 'r@example.com' })
  await drain()
  const mail = await lastMail('r@example.com')
  expect(mail.html).toContain(`>${say('he', 'documents.mail.view')}</a>`)
  expect(mail.html).not.toContain(say('he', 'documents.mail.viewAndPay'))
  const name = mail.attachments.find(({ mimeType }) => mimeType === 'application/pdf')!.filename!
  expect(name).toMatch(/^קבלה 1 – א-ב-ג+\.pdf$/)
  expect([...name].length).toBeLessThan(90)
})
