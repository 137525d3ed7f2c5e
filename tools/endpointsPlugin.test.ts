import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { emptied, withoutSchemas } from './endpointsPlugin.ts'

test('a browser gets the name, the method and the path of an endpoint, and whether it answers bytes', () => {
  const code = `const listed = defineEndpoint({ name: 'a.list', method: 'GET', path: '/a', access: 'login', input: z.object({ q: z.string() }), output: rows(z), summary: 'All, of { a }', errors: ['a.no'] })
const again = defineEndpoint({ ...listed, name: 'a.file', throttle: 20, file: true })
const things = defineResource({ name: 'things', fields: {}, extra: { color: z.string() } })
const kept = { summary: 'not of an endpoint' }`
  const made: unknown[] = []
  const bare = withoutSchemas(code, parseAst(code))
  const same = (one: unknown) => one
  new Function('defineEndpoint', 'defineResource', 'made', `${bare}; made.push(listed, again, things, kept)`)(
    same,
    same,
    made,
  )
  expect(made).toEqual([
    { name: 'a.list', method: 'GET', path: '/a' },
    { name: 'a.file', method: 'GET', path: '/a', file: true },
    { name: 'things', fields: {} },
    { summary: 'not of an endpoint' },
  ])
})

test('schemas of values are all what the builder is, by their names, and bring nothing with them', () => {
  const code = `import { isDay } from '#domain/day.ts'
const code = (name) => ({ error: name })
export const dayValue = z.string().refine(isDay, code('day')), yearValue = z.number()
export function inputOf(fields) { return z.object(fields) }`
  expect(emptied(parseAst(code)).split('\n')).toEqual([
    "import { z } from 'zod'",
    'export const dayValue = z',
    'export const yearValue = z',
    'export const inputOf = z',
  ])
})
