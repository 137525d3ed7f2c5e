import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations } from '../src/features.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** Every field of every call that reads a text as a flag or a number, wherever the call takes it. */
const fields = implementations.flatMap(({ endpoint }) => {
  const { input } = endpoint
  const shape: Record<string, z.ZodType> = input instanceof z.ZodObject ? input.shape : {}
  return Object.entries(shape).map(([field, schema]) => ({ name: `${endpoint.name} ${field}`, schema }))
})
const accepts = (schema: z.ZodType, value: unknown): boolean => {
  try {
    return schema.safeParse(value).success
  } catch {
    return false
  }
}
const flags = fields.filter(
  ({ schema }) =>
    ['true', 'false'].every((text) => accepts(schema, text)) &&
    !['x', 'perhaps'].some((text) => accepts(schema, text)),
)
const numbers = fields.filter(({ schema }) =>
  ['1', '7', '20', '50', '2026'].some((text) => {
    const read = accepts(schema, text) ? schema.safeParse(text) : undefined
    return read?.success && typeof read.data === 'number'
  }),
)

test('a flag in an address is true, True, 1, false, False or 0, and nothing else', () => {
  expect(flags.length).toBeGreaterThan(15)
  for (const { name, schema } of flags) {
    for (const [like, texts] of [
      ['true', ['True', '1']],
      ['false', ['False', '0']],
    ] as const)
      for (const text of texts)
        expect([name, text, schema.safeParse(text).data]).toEqual([name, text, schema.safeParse(like).data])
    for (const text of ['', 'yes', 'banana', 'TRUE ', '2', 'on'])
      expect([name, text, accepts(schema, text)]).toEqual([name, text, false])
  }
})

test('a number in an address is written in decimal digits', () => {
  expect(numbers.length).toBeGreaterThan(30)
  for (const { name, schema } of numbers)
    for (const text of ['', ' ', ' 20', '0x14', '2e1', 'twenty', '20,0', 'Infinity', '+20'])
      expect([name, text, accepts(schema, text)]).toEqual([name, text, false])
})

describe('filters of a list', () => {
  let world: World
  let business: Business
  beforeAll(async () => {
    world = await startWorld()
    business = await newBusiness(world)
    await business.send('POST', '/api4/invoice/customers', { name: 'Rina', email: 'rina@example.com' })
    await business.send('POST', '/api4/invoice/customers', {
      name: 'Dan',
      blocked: true,
      blockedReason: 'owes',
    })
  })
  afterAll(() => world.close())
  const names = async (query: string): Promise<string[]> =>
    (await business.get(`/api4/invoice/customers?${query}`)).rows.map(({ name }: { name: string }) => name)

  test.each(['true', 'True', '1'])('%s is yes', async (text) => {
    expect(await names(`blocked=${text}`)).toEqual(['Dan'])
    expect(await names(`email.empty=${text}`)).toEqual(['Dan'])
    expect(await names(`archived=${text}`)).toEqual([])
  })
  test.each(['false', 'False', '0'])('%s is no', async (text) => {
    expect(await names(`blocked=${text}`)).toEqual(['Rina'])
    expect(await names(`email.empty=${text}`)).toEqual(['Rina'])
    expect(await names(`archived=${text}`)).toHaveLength(2)
  })
  test.each([
    ['blocked=yes', 'blocked', 'fields.flag'],
    ['blocked=', 'blocked', 'fields.flag'],
    ['email.empty=banana', 'email.empty', 'fields.flag'],
    ['tags.empty=2', 'tags.empty', 'fields.flag'],
    ['archived=yes', 'archived', 'fields.flag'],
    ['limit=', 'limit', 'fields.number'],
    ['limit=1e1', 'limit', 'fields.number'],
    ['creditLimitAgorot.gte=', 'creditLimitAgorot', 'fields.number'],
    ['creditLimitAgorot.gte=0x10', 'creditLimitAgorot', 'fields.number'],
    ['after=garbage', 'after', 'fields.text'],
    ['cursor=garbage', 'cursor', 'fields.text'],
  ])('%s is refused at its name', async (query, path, code) => {
    await expect(names(query)).rejects.toMatchObject({ status: 422, errors: [{ path, code }] })
  })
  test('the moments of a record filter its list', async () => {
    expect(await names('createdAt.gte=2020-01-01')).toHaveLength(2)
    expect(await names('createdAt.lte=2020-01-01')).toEqual([])
    expect(await names('updatedAt.gte=2020-01-01T00:00:00Z')).toHaveLength(2)
  })
})
