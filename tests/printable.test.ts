import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeCompany } from '#features/base/companies/endpoints.ts'
import {
  createDocument,
  creditDocument,
  issueDocument,
  type DocumentInput,
} from '#features/sales/documents/endpoints.ts'
import { dispatchLetter, makeLetter } from '#features/people/letters/endpoints.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** A character is printed as it is, or it is named before anything is sealed with it. */

let world: World
let me: Business
const folder = mkdtempSync(path.join(tmpdir(), 'printable-'))

beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
})
afterAll(async () => {
  await closePaper()
  await world.close()
  rmSync(folder, { recursive: true })
})

const wordsOf = (pdf: Buffer): string => {
  const file = path.join(folder, 'read.pdf')
  writeFileSync(file, pdf)
  return spawnSync('pdftotext', [file, '-'], { encoding: 'utf8' }).stdout
}
const invoice = (customerId: string, description: string) => ({
  type: 8,
  customerId,
  lines: [{ description, unitPrice: '100' }],
})

describe('a tax invoice', () => {
  test('is printed in the scripts and signs that its fonts cover', async () => {
    const { id: customerId } = await me.customer('Κωνσταντίνος Παπαδόπουλος')
    const { id } = await me.call(createDocument, invoice(customerId, 'ქართული Հայերեն 100 Ω ⌀ 12″ →'))
    const text = wordsOf(await me.get<Buffer>(`/api4/invoice/documents/${id}/pdf`))
    for (const word of ['Παπαδόπουλος', 'ქართული', 'Հայերեն', 'Ω', '⌀', '″', '→'])
      expect(text).toContain(word)
  })

  test('is refused at the line, the note or the customer that it could not show, and is kept as a draft', async () => {
    const { id: plain } = await me.customer('כהן')
    const { id: foreign } = await me.customer('北京贸易')
    const refused = (path: string, characters: string) => ({
      status: 422,
      errors: [{ path, code: 'paper.unprintable', params: { characters } }],
    })
    await expect(me.call(createDocument, invoice(plain, 'שולחן 漢字'))).rejects.toMatchObject(
      refused('lines.0.description', '漢 字'),
    )
    await expect(me.call(createDocument, { ...invoice(plain, 'שולחן'), notes: 'বাংলা' })).rejects.toMatchObject(
      { errors: [{ path: 'notes', code: 'paper.unprintable' }] },
    )
    await expect(me.call(createDocument, invoice(foreign, 'שולחן'))).rejects.toMatchObject(
      refused('customerId', '北 京 贸 易'),
    )
    const draft = await me.call(createDocument, { ...invoice(foreign, 'שולחן 漢字'), draft: true })
    expect(draft.status).toBe('draft')
  })

  test('is refused at any other text that its paper shows, also when a draft is issued', async () => {
    const { id: customerId } = await me.customer('פרץ')
    const line = { description: 'שולחן', unitPrice: '100' }
    const payments = [{ means: 4, amountAgorot: 11_800, cardBrand: '漢', cardLast4: '1234' }]
    const cases: readonly (readonly [string, Partial<DocumentInput>])[] = [
      ['lines.0.unit', { type: 8, lines: [{ ...line, unit: '漢' }] }],
      ['payments.0.cardBrand', { type: 9, lines: [line], payments }],
      ['deliverTo.name', { type: 5, lines: [line], deliverTo: { name: '漢' } }],
    ]
    for (const [path, given] of cases)
      await expect(me.call(createDocument, { customerId, ...given } as DocumentInput)).rejects.toMatchObject({
        errors: [{ path, code: 'paper.unprintable' }],
      })
    const { id } = await me.call(createDocument, {
      type: 8,
      customerId,
      lines: [{ ...line, details: '漢' }],
      draft: true,
    })
    await expect(me.call(issueDocument, { id })).rejects.toMatchObject({
      errors: [{ path: 'lines.0.details', code: 'paper.unprintable' }],
    })
  })

  test('of before can be credited, whatever its words', async () => {
    const { id: customerId } = await me.customer('לוי')
    const { id } = await me.call(createDocument, invoice(customerId, 'כיסא'))
    await world.app.db.pool.query(`update parties set name = '漢字' where id = $1`, [customerId])
    expect(await me.call(creditDocument, { id, reason: 'החזרה' })).toMatchObject({ type: 10 })
  })
})

test('the business’s own details are refused at their field', async () => {
  await expect(me.call(changeCompany, { street: '漢字 5' })).rejects.toMatchObject({
    errors: [{ path: 'street', code: 'paper.unprintable' }],
  })
})

test('a letter is refused at what it says', async () => {
  const { id } = await me.customer('מזרחי')
  const letter = await me.call(makeLetter, { customerIds: [id], title: 'הודעה', body: 'שלום 漢' })
  await expect(me.call(dispatchLetter, { id: letter.id, way: 'print' })).rejects.toMatchObject({
    errors: [{ path: 'body', code: 'paper.unprintable' }],
  })
})
