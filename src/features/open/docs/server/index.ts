import { fail } from '#kit/describe/errors.ts'
import { isForKeys, type Endpoint } from '#kit/describe/endpoint.ts'
import type { Language } from '#kit/server/context.ts'
import { implementOpen } from '#kit/server/contract/implement.ts'
import { madeBy } from '#kit/server/contract/made.ts'
import { contract } from '#kit/server/openapi/contract.ts'
import {
  descriptionOf,
  errorsOf,
  errorsSaid,
  summaryOf,
  tagGroups,
  tagOf,
  tagTitle,
  withMeanings,
} from '#kit/server/openapi/document.ts'
import { exampleFor, exampleOf } from '#kit/server/openapi/examples.ts'
import { inputSchema, outputSchema } from '#kit/server/openapi/schemas.ts'
import * as calls from '../endpoints.ts'
import { clientFile } from './clients.ts'
import { fieldsOf } from './fields.ts'
import { withNames } from './numbers.ts'

const lineOf = (endpoint: Endpoint, language: Language): calls.CallLine => ({
  name: endpoint.name,
  method: endpoint.method,
  path: endpoint.path,
  summary: summaryOf(endpoint, language),
})

const menus = new Map<Language, calls.Group[]>()

function menuOf(language: Language): calls.Group[] {
  const there = menus.get(language)
  if (there) return there
  const { endpoints, wingOf } = contract()
  const made = tagGroups(endpoints, wingOf, language)
    .filter(({ wing }) => wing !== 'server')
    .map(({ wing, name, tags }) => ({
      wing,
      name,
      tags: tags.map((tag) => ({
        tag,
        title: tagTitle(tag, language),
        calls: endpoints.filter((one) => tagOf(one.name) === tag).map((one) => lineOf(one, language)),
      })),
    }))
  menus.set(language, made)
  return made
}

const made = new Map<string, calls.DocCall>()

/** What is read of one call; made when somebody looks at it, and kept. */
function callOf(name: string, language: Language): calls.DocCall {
  const key = `${language} ${name}`
  const there = made.get(key)
  if (there) return there
  const { endpoints } = contract()
  const endpoint = endpoints.find((one) => one.name === name)
  if (!endpoint) throw fail('kit.notFound')
  const tag = tagOf(name)
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
  const asQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE' || !!endpoint.upload
  const hidden = [...(endpoint.upload ? ['bytes'] : []), ...(endpoint.raw ? ['raw'] : [])]
  const takes = fieldsOf(withMeanings(inputSchema(endpoint), tag, language)).filter(
    ({ path }) => !hidden.includes(path),
  )
  const example = Object.entries(exampleFor(endpoint)).filter(([one]) => !hidden.includes(one))
  const said = errorsSaid(language)
  const sent = example.filter(([one]) => !inPath.includes(one))
  const isOpen = endpoint.access === 'open' || endpoint.access === 'key'
  const call: calls.DocCall = {
    ...lineOf(endpoint, language),
    description: descriptionOf(endpoint, language, { makes: madeBy(endpoints)(endpoint) !== undefined }),
    tag,
    tagTitle: tagTitle(tag, language),
    wing: menuOf(language).find(({ tags }) => tags.some((one) => one.tag === tag))?.name ?? '',
    takes: takes.map((field) => ({
      ...withNames(field, language),
      in: inPath.includes(field.path) ? ('path' as const) : asQuery ? ('query' as const) : ('body' as const),
      need: field.need || inPath.includes(field.path),
    })),
    gives: endpoint.file
      ? []
      : fieldsOf({ properties: { '': withMeanings(outputSchema(endpoint), tag, language) } })
          .flatMap(insideOf)
          .map((field) => withNames(field, language)),
    needsKey: !isOpen,
    forKeys: !isOpen && isForKeys(endpoint),
    isFile: endpoint.file ?? false,
    takesFile: endpoint.upload !== undefined,
    changes: endpoint.method !== 'GET' && !endpoint.reads,
    example: {
      path: Object.fromEntries(example.filter(([one]) => inPath.includes(one))),
      query: asQuery ? Object.fromEntries(sent) : {},
      ...(!asQuery && !endpoint.raw ? { body: Object.fromEntries(sent) } : {}),
    },
    answer: endpoint.file ? null : exampleOf(endpoint.output),
    errors: errorsOf(endpoint).map((code) => ({ code, ...said[code]! })),
    ...(endpoint.deprecated ? { deprecated: endpoint.deprecated } : {}),
  }
  made.set(key, call)
  return call
}

/** An answer has no name: its fields begin at once. */
const insideOf = (field: calls.DocField): calls.DocField[] => {
  const path = field.path.replace(/^(\[\])?\.?/, '')
  return path === '' ? [] : [{ ...field, path }]
}

export const implementations = [
  implementOpen(calls.docsMenu, async ({ language }) => ({
    version: contract().version,
    groups: menuOf(language),
  })),
  implementOpen(calls.docsCall, async ({ language }, { name }) => callOf(name, language)),
  implementOpen(calls.docsErrors, async ({ language }) => ({
    rows: Object.entries(errorsSaid(language)).map(([code, said]) => ({ code, ...said })),
  })),
  implementOpen(calls.docsClient, (_ctx, { file }) => clientFile(file)),
]
