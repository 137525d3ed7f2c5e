import { z } from 'zod'
import type { Endpoint } from '#kit/describe/endpoint.ts'

/** Draws that are the same for the same seed (mulberry32). */
export function draws(seed: number): {
  real: () => number
  below: (n: number) => number
  of: <T>(from: readonly T[]) => T
} {
  let state = seed >>> 0
  const real = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(real() * n)
  return { real, below, of: (from) => from[below(from.length)]! }
}
type Draws = ReturnType<typeof draws>

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  prefixItems?: Shape[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  additionalProperties?: boolean | Shape
  propertyNames?: Shape
  $ref?: string
}

export const shapeOf = (endpoint: Endpoint): Shape =>
  z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Shape

const nested = (depth: number, shut = true): unknown => {
  let inner: unknown = 1
  for (let i = 0; i < depth; i++) inner = shut ? [inner] : { a: inner }
  return inner
}

/** What nobody means to send. */
const hostile: readonly (() => unknown)[] = [
  ...['toString', 'constructor', 'hasOwnProperty', '__proto__', 'valueOf', 'prototype'].map(
    (name) => () => name,
  ),
  ...[
    '-constructor',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\u202e',
    '\uffff',
    '%',
    '%00',
    '\\',
    "'",
    '";--',
    '{}',
    '[]',
    'null',
  ].map((text) => () => text),
  ...[
    '9999-12-31',
    '9999-01-01',
    '1000-01-01',
    '0001-01-01',
    '-000001-01-01',
    '+275760-09-13',
    '2026-02-30',
    '9999-12',
  ].map((text) => () => text),
  ...[
    '9999-12-31T23:59:59Z',
    '9999-12-31T23:59:59.999+14:00',
    '0000-01-01T00:00:00Z',
    '25:00',
    'infinity',
    'now',
  ].map((text) => () => text),
  ...[
    0, -0, -1, 1e308, -1e308, 1e21, 9_007_199_254_740_991, -9_007_199_254_740_991, 2_147_483_648,
    -2_147_483_649, 0.1, 32_768,
  ].map((number) => () => number),
  ...[
    '9007199254740993',
    '99999999999999999999',
    '1e400',
    '-1e400',
    'NaN',
    'Infinity',
    '0x10',
    '99999999999.9999',
    '-0.00001',
  ].map((text) => () => text),
  ...['x|y', '|', '2026-01-01T00:00:00Z|', 'W10', 'WzEsMl0', 'WyJ4IiwieCJd', 'bnVsbA'].map(
    (cursor) => () => cursor,
  ),
  () => Buffer.from(JSON.stringify(['x', '01900000-0000-7000-8000-000000000000'])).toString('base64url'),
  () =>
    Buffer.from(JSON.stringify(['99999-99-99', '01900000-0000-7000-8000-000000000000'])).toString(
      'base64url',
    ),
  () =>
    Buffer.from(JSON.stringify(['9'.repeat(30), '01900000-0000-7000-8000-000000000000'])).toString(
      'base64url',
    ),
  () => Buffer.from('x|y').toString('base64url'),
  () => Buffer.from('9999999-01-01T00:00:00Z|01900000-0000-7000-8000-000000000000').toString('base64url'),
  () => Buffer.from('2026-99-99 01900000-0000-7000-8000-000000000000 1').toString('base64url'),
  () => '2026-01-01T00:00:00Z|01900000-0000-7000-8000-00000000000',
  () => '00000000-0000-0000-0000-000000000000',
  () => 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  () => 'א'.repeat(5000),
  () => 'x'.repeat(100_000),
  () => '(((((((((((a+)+)+)+)+'.repeat(50),
  () => '['.repeat(20_000),
  () => nested(1000),
  () => nested(20),
  () => nested(1000, false),
  () => null,
  () => true,
  () => '',
  () => ' ',
  () => [],
  () => ({}),
  () => [null],
  () => Array.from({ length: 3000 }, (_, i) => i),
  () => Array.from({ length: 300 }, () => 'x'),
  () => ({ toString: 'x', constructor: null, hasOwnProperty: 1 }),
  () => JSON.parse('{"__proto__":{"x":1},"length":1e9}') as unknown,
]

/** Values that may well be right, by what the field is called and what its schema says. */
export function likely(
  shape: Shape,
  name: string,
  d: Draws,
  ids: readonly string[],
  hostility: number,
  depth = 0,
): unknown {
  if (hostility > 0 && d.real() < hostility) return d.of(hostile)()
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return d.of(shape.enum)
  const options = shape.anyOf ?? shape.oneOf
  if (options) return likely(d.of(options), name, d, ids, hostility, depth)
  if (shape.allOf) return likely(shape.allOf[0]!, name, d, ids, hostility, depth)
  const type = Array.isArray(shape.type) ? d.of(shape.type) : shape.type
  if (type === 'object' || shape.properties) return likelyObject(shape, d, ids, hostility, depth)
  if (type === 'array') {
    if (shape.prefixItems)
      return shape.prefixItems.map((one) => likely(one, name, d, ids, hostility, depth + 1))
    const length = Math.max(
      shape.minItems ?? 0,
      Math.min(shape.maxItems ?? 3, depth > 4 ? 0 : 1 + d.below(2)),
    )
    return Array.from({ length }, () => likely(shape.items ?? {}, name, d, ids, hostility, depth + 1))
  }
  if (type === 'boolean') return d.real() < 0.5
  if (type === 'null') return null
  if (type === 'number' || type === 'integer') {
    const least = Math.max(shape.minimum ?? -5, -1_000_000)
    const most = Math.min(shape.maximum ?? 100_000, 1_000_000)
    if (/year/i.test(name)) return d.of([2025, 2026, 1, 9999, 0])
    return type === 'integer' || d.real() < 0.8
      ? Math.floor(least + d.real() * (most - least))
      : least + d.real()
  }
  return likelyText(shape, name, d, ids)
}

function likelyText(shape: Shape, name: string, d: Draws, ids: readonly string[]): string {
  if (shape.format === 'uuid' || /(^|[a-z])Id$|^id$|^ids$/.test(name)) return d.of(ids)
  if (shape.format === 'email' || /mail|^to$/i.test(name)) return d.of(['a@example.com', 'to@example.com'])
  if (shape.format === 'date-time' || name.endsWith('At'))
    return d.of(['2026-01-01T00:00:00Z', '2026-11-20T10:00:00+02:00'])
  if (/day|date|from|until|since|to$|^on$/i.test(name))
    return d.of(['2026-01-01', '2026-11-20', '2026-12-31', '2027-02-28', '9999-12-31', '1999-01-01'])
  if (/month|period/i.test(name)) return d.of(['2026-01', '2026-11', '9999-12', '0000-01', '2026-13'])
  if (/price|quantity|sum|rate|amount/i.test(name))
    return d.of(['1', '12.5', '0', '-3', '99999999999.9999', '0.0001'])
  if (/currency/i.test(name)) return d.of(['ILS', 'USD', 'EUR', 'XXX'])
  if (/phone|mobile|fax/i.test(name)) return '050-1234567'
  if (/taxId/i.test(name)) return d.of(['500000005', '000000018', '1'])
  if (/sort/i.test(name)) return d.of(['name', '-name', 'number', 'date', '-createdAt'])
  if (/page|size|limit|most/i.test(name)) return d.of(['1', '10', '100', '1000000'])
  if (/archived|check|shown/i.test(name)) return d.of(['true', 'false'])
  return d.of(['x', 'עבודה', 'a b', '1', 'true', '2026-01-01'])
}

function likelyObject(
  shape: Shape,
  d: Draws,
  ids: readonly string[],
  hostility: number,
  depth: number,
): Record<string, unknown> {
  const required = new Set(shape.required ?? [])
  const given = Object.entries(shape.properties ?? {}).filter(
    ([key]) => required.has(key) || d.real() < (depth > 3 ? 0.1 : 0.4),
  )
  const made = Object.fromEntries(
    given.map(([key, one]) => [key, likely(one, key, d, ids, hostility, depth + 1)]),
  )
  const more = shape.additionalProperties
  if (more && d.real() < 0.3) {
    const name =
      hostility > 0 && d.real() < 0.5
        ? d.of(['constructor', 'toString.gte', '__proto__', 'name.contains', 'name.in', 'a\u0000'])
        : d.of(ids)
    made[name] = likely(typeof more === 'object' ? more : {}, name, d, ids, hostility, depth + 1)
  }
  return made
}
