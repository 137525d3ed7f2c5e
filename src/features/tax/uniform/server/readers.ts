import { readUniform } from '#domain/filings/uniform/read.ts'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { debtOf, typeById } from '#features/sales/documents/types/index.ts'
import type { Choices } from '../endpoints.ts'
import { planOf, type Plan } from './plan.ts'
import { unpackUniform } from './unpack.ts'

interface Unread {
  data: Uint8Array
  ini?: Uint8Array | undefined
  choices: Choices
  kind: BusinessKind
}

const plan = ({ data, ini, choices, kind }: Unread): Plan =>
  planOf(readUniform(data, ini), choices, (type) => debtOf(typeById(type)!, kind))

const perPiece = 500

/** A part of a plan: of its long lists some, of all else everything. */
export type PlanPiece = Partial<Omit<Plan, 'cards' | 'openingItems'>> & {
  cards?: [string, Plan['cards'] extends Map<string, infer C> ? C : never][]
  openingItems?: [string, number][]
}

function* inPieces({ cards, documents, entries, items, openingItems, ...rest }: Plan): Generator<PlanPiece> {
  yield rest
  for (const [name, list] of Object.entries({
    cards: [...cards],
    documents,
    entries,
    items,
    openingItems: [...openingItems],
  }))
    for (let from = 0; from < list.length; from += perPiece)
      yield { [name]: list.slice(from, from + perPiece) }
}

/** What a thread reads of a uniform file. */
export const readers = {
  'uniform.unpack': ({ path }: { path: string }) => unpackUniform(path),
  'uniform.parity': (unread: Unread) => plan(unread).parity,
  'uniform.plan': (unread: Unread) => inPieces(plan(unread)),
}
