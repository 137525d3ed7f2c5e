import { fold } from '#domain/fold.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { contract } from '#kit/server/openapi/contract.ts'
import { summaryOf, tagOf } from '#kit/server/openapi/document.ts'
import { languages, wordsOf } from '#kit/server/words.ts'
import { mainTools } from '../tools.ts'

/*
 * Calls by words in any language of the product: by what the screens call their things, what their rights are called, what
 * people say for the verb, and the summary of the call.
 */

/** What people say for what a call does, by the last part of its name. */
const deeds = {
  create: /^(create|make|add|begin|new|draft|upload|invite|open|enter)/,
  see: /^(list|get|find|search|see|show|open|of|by)/,
  change: /^(change|save|set|keep|move|correct|edit|rename)/,
  send: /^(send|mail|sms|whatsApp|remind|share|ask)/,
  remove: /^(drop|delete|remove|archive|end|cancel|revoke|takeBack|forget)/,
  issue: /^(issue|batch|post)/,
} as const

const wordsIn = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)

const parted = (name: string): string[] => wordsIn(name.replace(/([a-z])([A-Z])/g, '$1 $2'))

/** How much a word counts for a call: what it is about, what it does, what else is said of it. */
const weights = { thing: 3, deed: 2, said: 1.5 }

type Bag = ReadonlyMap<string, number>

/** The words of every call with their weights; the words of the screens are read once for all of them. */
function indexOf(endpoints: readonly Endpoint[]): ReadonlyMap<string, Bag> {
  const all = languages.map((language) => wordsOf(language))
  const types = new Map<string, string[]>()
  for (const words of all)
    for (const [key, text] of Object.entries(words)) {
      const tag = /^(\w+)\.types\./.exec(key)?.[1]
      if (tag) types.set(tag, [...(types.get(tag) ?? []), ...wordsIn(text)])
    }
  const index = new Map<string, Bag>()
  for (const endpoint of endpoints) {
    const { name, access, summary } = endpoint
    const [tag, verb] = [tagOf(name), name.split('.').at(-1)!]
    const rule = typeof access === 'object' ? access.rule : ''
    const bag = new Map<string, number>()
    const put = (weight: number, words: readonly string[]) => {
      for (const word of words) bag.set(word, Math.max(weight, bag.get(word) ?? 0))
    }
    put(weights.thing, [...parted(tag), ...(types.get(tag) ?? [])])
    put(weights.deed, parted(verb))
    put(weights.said, [...wordsIn(summary), ...wordsIn(summaryOf(endpoint, 'he'))])
    for (const words of all) {
      const textOf = (...keys: string[]) => keys.flatMap((key) => wordsIn(words[key] ?? ''))
      put(
        weights.thing,
        textOf(`${tag}.title`, `screens.${tag}`, `companies.hub.${tag}.title`, `companies.hub.${tag}.also`),
      )
      put(weights.said, textOf(`team.rules.${rule}`, `screensFor.${tag}`))
      for (const [deed, pattern] of Object.entries(deeds))
        if (pattern.test(verb)) put(weights.deed, textOf(`agents.search.${deed}`))
    }
    index.set(name, bag)
  }
  return index
}

let index: ReadonlyMap<string, Bag> | undefined

/** Without the Hebrew or Arabic article, and without a one-letter Hebrew preposition. */
const bare = (word: string): string => word.replace(/^(?:ال|ה|ל|ב)(?=.{3})/u, '')

/** How similar two words are, from 0 to 1: equal, forms of one word, one a prefix of the other, or sharing a stem. */
function alike(asked: string, word: string): number {
  const [a, b] = [bare(asked), bare(word)]
  if (a === b) return 1
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 3) return 0
  let shared = 0
  while (shared < short.length && short[shared] === long[shared]) shared++
  // Case and number of Russian, number of English and French: they differ in two last letters at most.
  if (shared >= 5 && long.length - shared <= 2) return 0.95
  if (shared === short.length) return short.length / long.length > 0.5 ? 0.8 : 0
  return shared >= 4 && shared / long.length > 0.6 ? 0.6 : 0
}

/** Where two calls fit alike, documents, calls that are tools, and calls about one plain thing come first. */
function favour(name: string): number {
  const own = (mainTools as readonly string[]).includes(name) ? 1.2 : 1
  const document = tagOf(name) === 'documents' ? 1.25 : 1
  return own * document * (0.7 + 0.3 / parted(tagOf(name)).length)
}

/** The calls of `endpoints` that fit, best first; a word that few calls have counts for more than one that many have. */
export function searchCalls(endpoints: readonly Endpoint[], query: string): Endpoint[] {
  const bags = (index ??= indexOf(contract().endpoints))
  const vocabulary = new Set([...bags.values()].flatMap((bag) => [...bag.keys()]))
  const scores = new Map<string, number>()
  const skipped = new Set(
    languages.flatMap((language) => wordsIn(wordsOf(language)['agents.search.skip'] ?? '')),
  )
  for (const asked of new Set(
    wordsIn(query)
      .filter((word) => !skipped.has(word))
      .slice(0, 12),
  )) {
    const near = new Map<string, number>()
    for (const word of vocabulary) {
      const likeness = alike(asked, word)
      if (likeness) near.set(word, likeness)
    }
    const points = endpoints.flatMap(({ name }) => {
      let best = 0
      for (const [word, likeness] of near) best = Math.max(best, likeness * (bags.get(name)?.get(word) ?? 0))
      return best ? [[name, best] as const] : []
    })
    const rarity = Math.log(1 + endpoints.length / Math.max(1, points.length))
    for (const [name, best] of points) scores.set(name, (scores.get(name) ?? 0) + best * rarity)
  }
  return endpoints
    .filter(({ name }) => scores.has(name))
    .map((endpoint) => ({ endpoint, score: scores.get(endpoint.name)! * favour(endpoint.name) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ endpoint }) => endpoint)
}
