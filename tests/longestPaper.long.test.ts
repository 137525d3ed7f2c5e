import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { mostPaperText } from '#domain/documents/paperText.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { longestSilence } from './hostile/mainThread.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/**
 * The longest paper that is taken: nobody else waits while it is written and set, and what it took is given
 * back.
 */
let world: World
let me: Business
let customerId: string

beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
  customerId = (await me.customer('כהן')).id
  const first = await me.invoice(customerId, '1')
  await me.get(`/api4/invoice/documents/${first.id}/pdf`)
})
afterAll(async () => {
  await closePaper()
  await world.close()
})

const linesOf = (signs: number, count = 1000) => {
  const each = Math.floor(signs / count)
  const words = 'החלפת לוח חשמל ראשי בדירה כולל פחת, חיווט ובדיקה '
    .repeat(Math.ceil(each / 48))
    .slice(0, each)
  return Array.from({ length: count }, () => ({
    description: words.slice(0, 400).trim(),
    details: words.slice(400),
    unitPrice: '10',
  }))
}

describe('the longest paper', () => {
  test('is written and set while others are heard', async () => {
    const before = process.memoryUsage.rss()
    const written = await longestSilence(() =>
      me.call(createDocument, { type: 8, customerId, lines: linesOf(mostPaperText - 2000) }),
    )
    expect(written.silenceMs).toBeLessThan(200)
    const set = await longestSilence(() => me.get<Buffer>(`/api4/invoice/documents/${written.answer.id}/pdf`))
    expect(set.answer.subarray(0, 5).toString()).toBe('%PDF-')
    expect(set.silenceMs).toBeLessThan(200)
    expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(400)
  }, 240_000)

  test('what is longer is refused at its lines, in a draft too', async () => {
    for (const draft of [false, true])
      await expect(
        me.call(createDocument, { type: 8, customerId, lines: linesOf(mostPaperText + 20_000), draft }),
      ).rejects.toMatchObject({
        status: 422,
        code: 'documents.tooMuchText',
        errors: [{ path: 'lines', code: 'documents.tooMuchText' }],
      })
  })
})
