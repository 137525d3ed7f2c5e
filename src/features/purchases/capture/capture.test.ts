import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zlibSync } from 'fflate'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { root } from '#kit/server/settings.ts'
import { pdfOfPages } from '../../../../tests/pdf.ts'
import { newBusiness, Refused, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import * as calls from './endpoints.ts'
import { closeReader } from './server/reading/reader.ts'
import { readingRests } from './server/reading.ts'
import { startMailIn } from './server/mailIn.ts'

const samples = join(root, 'tests/papers/samples')
const sample = (name: string) => readFileSync(join(samples, name))
const truth = JSON.parse(readFileSync(join(samples, 'truth.json'), 'utf8')) as Record<
  string,
  {
    supplierName: string
    supplierTaxId: string
    number: string
    day: string
    net: number
    vat: number
    total: number
  }
>

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-03-15T10:00:00Z'))
  shop = await newBusiness(world)
})
afterAll(async () => {
  await readingRests()
  await closeReader()
  await world.close()
})

const settle = async () => {
  await world.worker.drain()
  await readingRests()
}
const add = async (business: Business, name: string, bytes: Uint8Array = sample(name)) => {
  const row = await business.call(calls.addPaper, { name, bytes })
  await settle()
  return business.call(calls.getPaper, { id: row.id })
}
const typeId = async (business: Business) =>
  (await business.call(expenseFacts, {})).types.find((t) => t.vatShare === 'full' && !t.isFixedAsset)!.id
const expenseOf = async (business: Business, paper: Awaited<ReturnType<typeof add>>) => ({
  supplier: { name: paper.proposal.supplierName!.value, taxId: paper.proposal.supplierTaxId!.value },
  supplierNumber: paper.proposal.number!.value,
  date: paper.proposal.day!.value,
  lines: [
    {
      typeId: await typeId(business),
      netAgorot: paper.proposal.netAgorot!.value,
      vatAgorot: paper.proposal.vatAgorot!.value,
    },
  ],
})

describe('the inbox', () => {
  test('a PDF is read after the upload, with a place for every value, and becomes an expense with the paper attached', async () => {
    const said = truth['classic-2.pdf']!
    const paper = await add(shop, 'classic-2.pdf')
    expect(paper).toMatchObject({ state: 'read', problem: null, pageCount: 1, hasPicture: true })
    expect(paper.proposal).toMatchObject({
      supplierTaxId: { value: said.supplierTaxId },
      number: { value: said.number },
      day: { value: said.day },
      netAgorot: { value: said.net },
      vatAgorot: { value: said.vat },
      totalAgorot: { value: said.total, reason: 'labelAndArithmetic' },
    })
    const [spot] = paper.proposal.totalAgorot!.spots
    const there = paper.pages[0]!.words.filter(
      ([, x, y]) => Math.abs(x - spot!.x) < 15 && Math.abs(y - spot!.y) < 5,
    )
    expect(there.map(([text]) => text).join(' ')).toContain(
      (said.total / 100).toLocaleString('en-US', { minimumFractionDigits: 2 }),
    )
    const picture = await shop.call(calls.paperPicture, { id: paper.id, page: 0 })
    expect(
      Buffer.from(picture as Uint8Array)
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8')

    const filed = await shop.call(calls.filePaper, { id: paper.id, expense: await expenseOf(shop, paper) })
    const expense = await shop.get(`/api4/invoice/expenses/${filed.expenseId}`)
    expect(expense).toMatchObject({
      paperTotalAgorot: said.total,
      supplierName: said.supplierName,
      source: 'upload',
    })
    expect(expense.files).toHaveLength(1)
    await expect(
      shop.call(calls.filePaper, { id: paper.id, expense: await expenseOf(shop, paper) }),
    ).rejects.toMatchObject({
      code: 'capture.alreadyFiled',
    })
  })

  test('a photograph is read', async () => {
    const said = truth['till-2.jpg']!
    const paper = await add(shop, 'till-2.jpg')
    expect(paper.proposal).toMatchObject({ totalAgorot: { value: said.total }, day: { value: said.day } })
  })

  test('the same bytes are told at once', async () => {
    const first = await shop.call(calls.addPaper, { name: 'a.pdf', bytes: sample('columns-2.pdf') })
    const second = await shop.call(calls.addPaper, { name: 'b.pdf', bytes: sample('columns-2.pdf') })
    expect(first.duplicateOf).toBeNull()
    expect(second.duplicateOf).toBe(first.id)
    await settle()
  })

  test('what a person corrected is known at the supplier’s next paper', async () => {
    const own = await newBusiness(world)
    const paper = await add(own, 'credit-2.pdf')
    const expense = await expenseOf(own, paper)
    await own.call(calls.filePaper, {
      id: paper.id,
      expense: { ...expense, supplier: { ...expense.supplier, name: 'השם שלנו לספק' } },
      spots: { total: paper.proposal.totalAgorot!.spots[0]! },
    })
    await own.call(calls.rejectPaper, {
      id: (await own.call(calls.addPaper, { name: 'again.pdf', bytes: sample('credit-2.pdf') })).id,
    })
    const [, again] = [await settle(), await own.call(calls.listPapers, { state: 'rejected' })]
    await own.call(calls.restorePaper, { id: again.rows[0]!.id })
    await own.call(calls.readPaperAgain, { id: again.rows[0]!.id })
    await settle()
    const known = await own.call(calls.getPaper, { id: again.rows[0]!.id })
    expect(known.proposal.supplierName).toMatchObject({ value: 'השם שלנו לספק', reason: 'memory' })
    expect(known.supplier?.name).toBe('השם שלנו לספק')
    expect(known.usual.typeId).toBe(await typeId(own))
  })

  test('a heap that was scanned into one file is split by its pages', async () => {
    const paper = await add(
      shop,
      'heap.pdf',
      pdfOfPages(['Tax invoice 1001', 'Tax invoice 1002', 'page two of 1002']),
    )
    expect(paper.pageCount).toBe(3)
    const { ids } = await shop.call(calls.splitPaper, { id: paper.id, begins: [2] })
    await settle()
    const [first, second] = [
      await shop.call(calls.getPaper, { id: ids[0]! }),
      await shop.call(calls.getPaper, { id: ids[1]! }),
    ]
    expect([first.pageCount, first.pages.length, second.pageCount, second.pages.length]).toEqual([1, 1, 2, 2])
    expect([first.proposal.number?.value, second.proposal.number?.value]).toEqual(['1001', '1002'])
    await expect(shop.call(calls.splitPaper, { id: paper.id, begins: [2] })).rejects.toMatchObject({
      code: 'capture.cannotSplit',
    })
  })

  test('is shown in the order it came, and a filed paper names the next', async () => {
    const own = await newBusiness(world)
    const ids: string[] = []
    for (const n of [1, 2, 3])
      ids.push((await own.call(calls.addPaper, { name: `${n}.xml`, bytes: Buffer.from(`<x>${n}</x>`) })).id)
    await settle()
    const list = await own.call(calls.listPapers, {})
    expect(list.rows.map((r) => [r.name, r.state, r.problem])).toEqual(
      [1, 2, 3].map((n) => [`${n}.xml`, 'read', 'broken']),
    )
    expect((await own.call(calls.rejectPaper, { id: ids[1]! })).nextId).toBe(ids[2])
    expect((await own.call(calls.rejectPaper, { id: ids[2]! })).nextId).toBe(ids[0])
    expect((await own.call(calls.listPapers, {})).counts).toEqual({
      open: 1,
      unread: 0,
      filed: 0,
      rejected: 2,
    })
  })
})

describe('hostile files', () => {
  const bad: [string, Buffer, string][] = [
    ['broken.pdf', Buffer.from('%PDF-1.7\n1 0 obj <</Type/Catalog'), 'broken'],
    ['bomb.png', pngOf(30_000, 30_000), 'tooLarge'],
    ['cut.jpg', sample('till-2.jpg').subarray(0, 300), 'broken'],
    [
      'xxe.xml',
      Buffer.from(
        '<?xml version="1.0"?><!DOCTYPE i [<!ENTITY x SYSTEM "file:///etc/passwd">]><Invoice><ID>&x;</ID></Invoice>',
      ),
      'broken',
    ],
  ]
  test.each(bad)(
    '%s is refused with its reason, and the next paper is read',
    async (name, bytes, problem) => {
      const paper = await add(shop, name, bytes)
      expect(paper).toMatchObject({ state: 'read', problem })
    },
  )
  test('what is no paper is not taken', async () => {
    await expect(
      shop.call(calls.addPaper, { name: 'x.zip', bytes: Buffer.from('PK\u0003\u0004') }),
    ).rejects.toBeInstanceOf(Refused)
    await expect(
      shop.call(calls.addPaper, { name: 'x.txt', bytes: Buffer.from('hello') }),
    ).rejects.toMatchObject({
      code: 'capture.badType',
    })
  })
})

describe('rights', () => {
  test('another business sees nothing of it', async () => {
    const stranger = await newBusiness(world)
    const { rows } = await shop.call(calls.listPapers, {})
    expect((await stranger.call(calls.listPapers, {})).rows).toEqual([])
    await expect(stranger.call(calls.paperPicture, { id: rows[0]!.id, page: 0 })).rejects.toMatchObject({
      status: 404,
    })
  })
  test('whoever may not see prices gets neither figures nor pictures', async () => {
    const own = await newBusiness(world)
    const paper = await add(own, 'english-2.pdf')
    const { companyId } = await own.get('/api/user/session')
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set hide_total_prices = true where company_id = ${companyId}`.execute(tx),
    )
    const seen = await own.call(calls.getPaper, { id: paper.id })
    expect(JSON.stringify(seen)).not.toContain(String(paper.proposal.totalAgorot!.value))
    expect(seen.pages[0]!.words).toEqual([])
    expect((await own.call(calls.listPapers, {})).rows[0]!.totalAgorot).toBeNull()
    await expect(own.call(calls.paperPicture, { id: paper.id })).rejects.toMatchObject({ status: 403 })
    await expect(own.call(calls.paperThumbnail, { id: paper.id })).rejects.toMatchObject({ status: 403 })
  })
})

describe('letters', () => {
  let mail: NonNullable<Awaited<ReturnType<typeof startMailIn>>>
  let to: string
  let own: Business
  beforeAll(async () => {
    own = await newBusiness(world)
    mail = (await startMailIn({
      ...world.app,
      settings: { ...world.app.settings, mailIn: { port: 0, host: '127.0.0.1', domain: 'in.test' } },
    }))!
    to = (await own.call(calls.changeMailAddress, { active: true })).address!
  })
  afterAll(() => mail.stop())
  const send = (letter: object) => {
    const transport = createTransport({ host: '127.0.0.1', port: mail.port, secure: false, ignoreTLS: true })
    return transport
      .sendMail({
        from: 'Dana Levi <dana@supplier.example>',
        subject: 'חשבונית לחודש מרץ',
        text: 'שלום, מצורפת החשבונית.',
        ...letter,
      })
      .finally(() => transport.close())
  }

  test('bring their attachments into the inbox, with the sender', async () => {
    await send({
      to,
      attachments: [
        { filename: 'חשבונית.pdf', content: sample('english-2.pdf') },
        { filename: 'card.vcf', content: 'BEGIN:VCARD\nEND:VCARD' },
      ],
    })
    await settle()
    const { rows } = await own.call(calls.listPapers, {})
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      name: 'חשבונית.pdf',
      source: 'mail',
      sender: 'Dana Levi <dana@supplier.example>',
      subject: 'חשבונית לחודש מרץ',
      totalAgorot: truth['english-2.pdf']!.total,
    })
  })
  test('come encrypted where a certificate is set, and without one STARTTLS is not offered', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mail-in-'))
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    execFileSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=in.test -keyout ${key} -out ${cert}`.split(' '),
      { stdio: 'ignore' },
    )
    const secure = (await startMailIn({
      ...world.app,
      settings: {
        ...world.app.settings,
        mailIn: { port: 0, host: '127.0.0.1', domain: 'in.test', tls: { cert, key } },
      },
    }))!
    const over = (port: number) => {
      const transport = createTransport({
        host: '127.0.0.1',
        port,
        requireTLS: true,
        tls: { ca: readFileSync(cert), servername: 'in.test', checkServerIdentity: () => undefined },
      })
      return transport
        .sendMail({
          from: 'dana@supplier.example',
          to,
          subject: 'encrypted',
          text: 'x',
          attachments: [{ filename: 'tls.pdf', content: sample('english-2.pdf') }],
        })
        .finally(() => transport.close())
    }
    try {
      await over(secure.port)
      await expect(over(mail.port)).rejects.toThrow()
    } finally {
      await secure.stop()
    }
    await settle()
    expect((await own.call(calls.listPapers, {})).rows.map(({ name }) => name)).toContain('tls.pdf')
  })
  test('say which attachments were not taken, and bring what hangs on a letter that is attached', async () => {
    const before = (await own.call(calls.listPapers, {})).rows.length
    const inner = [
      'From: bills@supplier.example',
      'Subject: bill',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'hello',
      '--b',
      'Content-Type: application/pdf; name=inside.pdf',
      'Content-Disposition: attachment; filename=inside.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      sample('credit-2.pdf').toString('base64'),
      '--b--',
    ].join('\r\n')
    await send({
      to,
      subject: 'שני קבצים',
      attachments: [
        {
          filename: 'bill.doc',
          content: Buffer.from('d0cf11e0a1b11ae100', 'hex'),
          contentType: 'application/msword',
        },
        { filename: 'card.vcf', content: 'BEGIN:VCARD\nEND:VCARD', contentType: 'text/vcard' },
        {
          filename: 'letter.eml',
          content: inner,
          contentType: 'message/rfc822',
          contentDisposition: 'attachment',
        },
      ],
    })
    const added = (await own.call(calls.listPapers, {})).rows.slice(before)
    expect(added.map(({ name, isNote }) => [name, isNote])).toEqual([
      ['inside.pdf', false],
      ['שני קבצים', true],
    ])
    const { note } = await own.call(calls.getPaper, { id: added[1]!.id })
    expect(note).toContain('bill.doc')
    expect(note).not.toContain('card.vcf')
    expect(note).toContain('שלום, מצורפת החשבונית.')
  })
  test('without a paper wait as a note', async () => {
    await send({ to, subject: 'שאלה' })
    const { rows } = await own.call(calls.listPapers, {})
    expect(rows.at(-1)).toMatchObject({ name: 'שאלה', isNote: true })
    expect((await own.call(calls.getPaper, { id: rows.at(-1)!.id })).note).toBe('שלום, מצורפת החשבונית.')
  })
  test('to an address unknown, renewed or turned off are refused at once', async () => {
    await expect(send({ to: 'aaaaaaaaaaaaaaaaaaaaaaaa@in.test' })).rejects.toMatchObject({
      responseCode: 550,
    })
    const fresh = (await own.call(calls.changeMailAddress, { active: true, renew: true })).address!
    await expect(send({ to })).rejects.toMatchObject({ responseCode: 550 })
    await own.call(calls.changeMailAddress, { active: false })
    await expect(send({ to: fresh })).rejects.toMatchObject({ responseCode: 550 })
  })
})

/** A PNG whose head claims a size that its few bytes do not hold. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', Buffer.from(zlibSync(new Uint8Array(100)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('only a paper that was put aside is brought back', async () => {
  const other = await newBusiness(world)
  const paper = await add(other, 'classic-2.pdf')
  await expect(other.call(calls.restorePaper, { id: paper.id })).rejects.toMatchObject({
    status: 409,
    code: 'capture.notWaiting',
  })
  await other.call(calls.rejectPaper, { id: paper.id, reason: 'x' } as never)
  await other.call(calls.restorePaper, { id: paper.id })
})

describe('the bill guard', () => {
  const ask = async (business: Business) => {
    const paper = await add(business, 'classic-2.pdf')
    const expense = { ...(await expenseOf(business, paper)), means: 'onCredit' as const }
    return { paper, expense }
  }
  const codes = (questions: readonly { code: string }[]) => questions.map((one) => one.code)

  test('a bill addressed to another business is questioned, waits for approval and is not paid', async () => {
    const own = await newBusiness(world)
    const { paper, expense } = await ask(own)
    expect(codes(paper.questions)).toContain('expenses.askOtherBuyer')
    const filed = await own.call(calls.filePaper, { id: paper.id, expense })
    expect(filed.state).toBe('waiting')
    const { rows } = await own.get('/api4/invoice/supplierpayments/due?until=2027-12-31')
    expect(rows).toEqual([])
    const stored = await own.get(`/api4/invoice/expenses/${filed.expenseId}`)
    expect(codes(stored.warnings)).toContain('expenses.askOtherBuyer')
    await own.send('POST', `/api4/invoice/expenses/${filed.expenseId}/approve`, {})
    expect((await own.get('/api4/invoice/supplierpayments/due?until=2027-12-31')).rows).toHaveLength(1)
  })

  test('a person who checked it approves it at once', async () => {
    const own = await newBusiness(world)
    const { paper, expense } = await ask(own)
    expect(await own.call(calls.filePaper, { id: paper.id, expense, confirmed: true })).toMatchObject({
      state: 'approved',
    })
  })

  test('the second bill of one number asks, also months later', async () => {
    const own = await newBusiness(world)
    const first = await ask(own)
    await own.call(calls.filePaper, { id: first.paper.id, expense: first.expense, confirmed: true })
    const { paper } = await ask(own)
    expect(codes(paper.questions)).toContain('expenses.askSameNumber')
  })
})
