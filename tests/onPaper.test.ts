import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDocument, type DocumentInput } from '#features/sales/documents/endpoints.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** What was typed is on the sealed paper, and nothing on it contradicts another part of it. */

/** The days of these tests are around it. */
const at = new Date('2026-11-20T10:00:00Z')

let world: World
let licensed: Business
let exempt: Business
const folder = mkdtempSync(path.join(tmpdir(), 'on-paper-'))

beforeAll(async () => {
  world = await startWorld(() => at)
  licensed = await newBusiness(world)
  exempt = await newBusiness(world, { kind: 'exemptDealer', name: 'הידיים של רונית' })
})
afterAll(async () => {
  await closePaper()
  await world.close()
  rmSync(folder, { recursive: true })
})

/** The text of a document's paper as it is read, without marks of direction. */
async function paperOf(me: Business, given: DocumentInput, variant = 'original'): Promise<string> {
  const { id } = await me.call(createDocument, given)
  const file = path.join(folder, 'read.pdf')
  writeFileSync(file, await me.get<Buffer>(`/api4/invoice/documents/${id}/pdf?variant=${variant}`))
  return spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout.replace(
    /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}
const cash = (amountAgorot: number) => [{ means: 1, amountAgorot }]

describe('a receipt prints what it is for', () => {
  const lines = [{ description: 'מניקור ג׳ל', details: 'כולל הסרה', quantity: '2', unitPrice: '75' }]

  test.each(['he', 'en', 'ar', 'ru', 'fr'] as const)(
    'its lines with their prices, where it is the income itself, in %s',
    async (language) => {
      const customerId = (await exempt.customer(`דנה ${language}`)).id
      for (const variant of ['original', 'thermal']) {
        const text = await paperOf(
          exempt,
          { type: 6, customerId, language, lines, payments: cash(15_000) },
          variant,
        )
        for (const word of ['מניקור', 'כולל', '150.00'])
          expect(text, `${language} ${variant}`).toContain(word)
        if (variant === 'original') expect(text).toContain('75.00')
      }
    },
  )

  test('its description alone where prices are before VAT', async () => {
    const customerId = (await licensed.customer('דנה')).id
    const description = [{ description: 'מקדמה על ארון', unitPrice: '1000' }]
    const text = await paperOf(licensed, {
      type: 6,
      customerId,
      lines: description,
      payments: cash(118_000),
    })
    expect(text).toContain('מקדמה')
    expect(text).toContain('1,180.00')
    expect(text).not.toMatch(/1,000\.00/)
  })
})

describe('terms of payment', () => {
  const invoice = async (more: Partial<DocumentInput>) =>
    paperOf(licensed, {
      type: 8,
      customerId: (await licensed.customer(`כהן ${Object.values(more).join(' ')}`)).id,
      lines: [{ description: 'שולחן', unitPrice: '100' }],
      language: 'en',
      ...more,
    } as DocumentInput)

  test('are printed with the day that follows from them', async () => {
    expect(await invoice({ dueTerms: 'net:30' })).toMatch(/Terms/)
  })
  test('are not printed beside a due date of its own', async () => {
    for (const dueTerms of ['net:30', 'now']) {
      const text = await invoice({ dueTerms, dueDate: '2027-01-31' })
      expect(text).toContain('31/01/2027')
      expect(text).not.toMatch(/Terms/)
    }
  })
})

describe('VAT is called what it is', () => {
  const invoice = async (vatKind: 1 | 3 | 4, zeroRate = false) =>
    paperOf(licensed, {
      type: 8,
      customerId: (await licensed.customer(`לקוח ${vatKind} ${zeroRate}`, { zeroRate })).id,
      language: 'en',
      lines: [{ description: 'Table', unitPrice: '100', vatKind }],
    } as DocumentInput)

  test.each([
    [4, false, 'VAT exempt'],
    [1, true, 'Zero rate'],
    [3, false, 'Deposit, no VAT'],
  ] as const)('lines of kind %i, at zero rate %s: “%s”', async (vatKind, zeroRate, label) => {
    const text = await invoice(vatKind, zeroRate)
    expect(text).toContain('100.00')
    expect(text).toMatch(new RegExp(`${label} +0\\.00`))
    expect(text).not.toContain('18%')
  })
})
